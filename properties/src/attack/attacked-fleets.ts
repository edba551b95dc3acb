/**
 * Random fleets in which an adversary owns one cluster: the initial state, and the adversary's version of every object
 * of its own.
 */
import type { KubeObject, VirtualDestination } from '@meshrelay/api';
import { agentObjects, canonicalJson } from '@meshrelay/relay-core';
import fc from 'fast-check';
import { fieldsOf, poisoned } from '../corruption/poison.ts';
import { administration, settings } from '../fleets/administration.ts';
import { type Change, type Event, MAIN_CLUSTERS, NAMESPACES, type Placed, SERVICES } from '../fleets/fleet.ts';
import { federationOf, policyEvent } from '../fleets/policies.ts';
import { PLUGINS } from '../fleets/running-fleet.ts';
import { clusterEventOf, idleEvent, serviceEvent, serviceEventOf } from '../fleets/services.ts';
import { stateAfter } from '../fleets/state.ts';
import { userObjectEvent } from '../fleets/user-objects.ts';

/** A fleet, and what the adversary adds to it. */
export interface AttackedFleet {
  /** The cluster whose every object the adversary owns. */
  readonly adversary: string;
  /**
   * All others' objects, the administrator's, and the adversary's cluster without an attack. The adversary's membership
   * is granted.
   */
  readonly peace: readonly Placed[];
  /** Events in the adversary's cluster. */
  readonly attack: Event;
  /** Data that its agent's credential sends in addition to discovered objects. */
  readonly lies: readonly KubeObject[];
}

/** Whether the administrator, or the first member to join, decides the owner of a gateway address or a trust domain. */
const TERMS = ['nothing', 'addresses', 'trustDomains'] as const;
type Terms = (typeof TERMS)[number];

const ADDRESSES = ['198.51.100.1', '198.51.100.2', 'gw.example.com', '2001:db8::1', '203.0.113.1', '10.0.0.2'];

function chosenUnder(terms: Terms, adversary: string): Placed[] {
  const victims = MAIN_CLUSTERS.filter((name) => name !== adversary);
  const listing = (name: string, spec: object): Placed => managed('multicluster', 'KubernetesCluster', name, spec);
  switch (terms) {
    case 'nothing':
      return [resolveContext([...victims, adversary])];
    case 'addresses':
      return [
        resolveContext([adversary, ...victims]),
        ...victims.map((name) => listing(name, { gatewayAddresses: ADDRESSES })),
      ];
    // The adversary's mesh has no listed trust domain, so it is not a member, whatever it sends.
    case 'trustDomains':
      return [
        resolveContext([...victims, adversary]),
        ...victims.map((name) => listing(name, { trustDomains: ['cluster.local', 'td.two'] })),
        listing(adversary, { trustDomains: ['td.three'] }),
      ];
  }
}

/** @param names the first to join first */
function resolveContext(names: readonly string[]): Placed {
  const clusters = names.map((name, index) => ({ name, firstSyncTime: `2026-01-0${index + 1}T00:00:00Z` }));
  return managed('admin', 'Ledger', 'ledger-clusters', { clusters });
}

function managed(group: string, kind: string, name: string, spec: object): Placed {
  const apiVersion = `${group}.meshrelay.dev/v1alpha1`;
  return {
    cluster: '',
    object: { apiVersion, kind, metadata: { name, namespace: 'meshrelay' }, spec } as unknown as KubeObject,
  };
}

function peaceUnder(terms: Terms, adversary: string): fc.Arbitrary<Placed[]> {
  const services = MAIN_CLUSTERS.flatMap((name) =>
    ['cart.shop', 'pay.shop', 'gw.shop'].map((service) => serviceEventOf(fc.constant(name), fc.constant(service))),
  );
  return fc
    .record({
      // Without an attack, all have the same trust domain; a member's different trust domain is the administrator's
      // decision.
      clusters: fc.tuple(...MAIN_CLUSTERS.map((name) => clusterEventOf(fc.constant(name), fc.constant({})))),
      services: fc.tuple(...services),
      others: fc.array(fc.oneof(serviceEvent, userObjectEvent, idleEvent), { maxLength: 12 }),
      settings: fc.array(settings, { maxLength: 1 }),
      policies: fc.array(policyEvent, { maxLength: 10, size: 'max' }),
    })
    .map(({ clusters, services: main, others, settings: chosen, policies }) => {
      const unmanaged = [...others, ...policies]
        .flat()
        .filter((one) => one.cluster !== adversary && isHonest(one, adversary));
      const there = [...[...clusters, ...main, ...chosen].flat(), ...unmanaged].map(({ cluster, object }) => ({
        cluster,
        object,
      }));
      return [...there, ...chosenUnder(terms, adversary), federationOf([...new Set(['east', 'west', adversary])])];
    });
}

/**
 * Excludes objects in which the administrator or the others grant the adversary something, or request something of it.
 */
function isHonest({ object: { kind, spec } }: Placed, adversary: string): boolean {
  const text = canonicalJson(spec ?? {});
  switch (kind) {
    case 'TrafficPolicy': {
      const { trafficShift = 0, mirror = 0 } = (spec as { policy?: Record<string, unknown> }).policy ?? {};
      const targets = canonicalJson([trafficShift, mirror]);
      // A shift to a subset defines that subset on the target as soon as the policy applies to any destination.
      return !targets.includes(adversary) && !targets.includes('"subset"');
    }
    // One that selects all clusters includes whatever objects they have.
    case 'VirtualDestination':
      return !text.includes(adversary) && !sweepsOverClusters(spec as VirtualDestination['spec']);
    // The fleet already has one, of which the adversary is a member.
    case 'VirtualMesh':
      return false;
    default:
      return true;
  }
}

function sweepsOverClusters({ localized }: VirtualDestination['spec']): boolean {
  if (localized === undefined) return false;
  const { destinationSelectors = [] } = localized;
  return (
    destinationSelectors.length === 0 ||
    destinationSelectors.some(({ kubeServiceMatcher, kubeServiceRefs }) =>
      kubeServiceMatcher === undefined
        ? kubeServiceRefs === undefined
        : (kubeServiceMatcher.clusters ?? []).length === 0,
    )
  );
}

/**
 * Events in its cluster: all that may happen anywhere, moved there. Its control plane stays, or it would leave the mesh
 * by itself.
 */
function attackOf(adversary: string): fc.Arbitrary<Event> {
  const service = fc
    .tuple(fc.constantFrom(...SERVICES), fc.constantFrom(...NAMESPACES))
    .map((names) => names.join('.'));
  const happening = fc.oneof(
    { weight: 4, arbitrary: serviceEventOf(fc.constant(adversary), fc.oneof(fc.constant('gw.shop'), service)) },
    { weight: 5, arbitrary: policyEvent },
    { weight: 2, arbitrary: userObjectEvent },
    { weight: 1, arbitrary: administration },
    { weight: 1, arbitrary: idleEvent },
  );
  return fc
    .array(happening, { minLength: 1, maxLength: 12, size: 'max' })
    .map((all) => all.flat().map((change): Change => ({ ...change, cluster: adversary })));
}

/** A replacement for one value. */
const SAID: readonly unknown[] = [
  ...[null, 0, '', '*', [], [null], {}, 'x'.repeat(5000)],
  ...['east', 'west', 'north', 'shop', 'cart', 'istio-system', 'meshrelay'],
  ...[
    'cart.shop.svc.east.global',
    'cart.shop.svc.cluster.local',
    'cart.anywhere',
    'td.two',
    '198.51.100.1',
    '240.0.0.1',
  ],
];

/** How a true fact about a cluster is falsified, as numbers that can be shrunk. */
interface Twist {
  readonly object: number;
  /** Sent as the adversary's own, not as the original owner's. */
  readonly asOwn: boolean;
  /** Replaces the value of the field with that number. */
  readonly said: unknown;
  readonly field: number;
}

const twists: fc.Arbitrary<Twist[]> = fc.array(
  fc.record({
    object: fc.nat(999),
    asOwn: fc.boolean(),
    said: fc.option(fc.constantFrom(...SAID), { nil: undefined }),
    field: fc.nat(999),
  }),
  { maxLength: 10, size: 'max' },
);

/**
 * Facts discovered anywhere and objects written by administrators, falsified by the adversary. Its data on its own mesh
 * affects only itself.
 */
function liesAbout(peace: readonly Placed[], adversary: string, twisted: readonly Twist[]): KubeObject[] {
  const of = (name: string): KubeObject[] =>
    peace.filter(({ cluster }) => cluster === name).map(({ object }) => object);
  const known = [...MAIN_CLUSTERS.flatMap((name) => agentObjects({ name, objects: of(name) }, PLUGINS)), ...of('')];
  return twisted.flatMap((twist) => {
    const found = known[twist.object % known.length];
    if (found === undefined || found.kind === 'Mesh') return [];
    return [lieAbout(twist.asOwn ? ownedBy(adversary, found) : found, twist)];
  });
}

function lieAbout(object: KubeObject, { said, field }: Twist): KubeObject {
  const fields = fieldsOf(object).filter(({ path: [first, second] }) => first === 'spec' || second === 'labels');
  const { path } = fields[field % Math.max(1, fields.length)] ?? {};
  return said === undefined || path === undefined ? object : poisoned(object, { path, value: said });
}

function ownedBy(adversary: string, object: KubeObject): KubeObject {
  const text = MAIN_CLUSTERS.reduce(
    (all, name) => all.replaceAll(`"${name}"`, `"${adversary}"`),
    JSON.stringify(object),
  );
  return JSON.parse(text) as KubeObject;
}

/** Fleets under attack, by an adversary with either mesh. */
export const attackedFleets: fc.Arbitrary<AttackedFleet> = fc
  .record({ terms: fc.constantFrom(...TERMS), adversary: fc.constantFrom('west', 'west', 'north') })
  .chain(({ terms, adversary }) =>
    fc.record({
      adversary: fc.constant(adversary),
      peace: peaceUnder(terms, adversary),
      attack: attackOf(adversary),
      twists,
    }),
  )
  .map(({ twists: twisted, ...attacked }) => {
    const { adversary, peace, attack } = JSON.parse(JSON.stringify(attacked)) as Omit<AttackedFleet, 'lies'>;
    const state = stateAfter([peace.map((one) => ({ ...one, gone: false }))]);
    return { adversary, peace: state, attack, lies: liesAbout(state, adversary, twisted) };
  });
