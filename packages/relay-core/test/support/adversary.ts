/** Fleets with an untrusted cluster: its credential holder sends arbitrary objects. */
import type { KubeObject, VirtualDestination } from '@meshrelay/api';
import fc from 'fast-check';
import { BASE } from './base-fleet.ts';
import { canonicalJson } from './core.ts';
import { placedObject } from './fleet-objects.ts';
import type { Placed } from './placed.ts';

/** The cluster of the adversary. */
export const ADVERSARY = 'c3';
export const VICTIMS: readonly string[] = ['c1', 'c2'];

/** A fleet, and the objects that the adversary adds. */
export interface AttackedFleet {
  /**
   * Objects of the others, and the adversary's mesh. The adversary controls the mesh's content; the administrator
   * controls that it exists.
   */
  readonly honest: readonly Placed[];
  readonly attack: readonly Placed[];
}

const MESH_OF_ADVERSARY = BASE.filter(({ cluster, object }) => cluster === ADVERSARY && object.kind === 'Mesh');

/** @param names clusters in the order in which they joined */
function resolveContext(names: readonly string[]): Placed {
  return placed('admin', 'Ledger', 'ledger-clusters', {
    clusters: names.map((name, index) => ({ name, firstSyncTime: `2026-01-0${index + 1}T00:00:00Z` })),
  });
}

function placed(group: string, kind: string, name: string, spec: object): Placed {
  const apiVersion = `${group}.meshrelay.dev/v1alpha1`;
  const object = { apiVersion, kind, metadata: { name, namespace: 'meshrelay' }, spec };
  return { cluster: '', object: object as unknown as KubeObject };
}

const listing = (name: string, spec: object): Placed => placed('multicluster', 'KubernetesCluster', name, spec);

/** What the administrator lists for the clusters, and the join order, which decides everything that is not listed. */
const TERMS = {
  nothing: [resolveContext(['c1', 'c2', 'c3'])],
  addresses: [
    resolveContext(['c3', 'c2', 'c1']),
    ...VICTIMS.map((name) =>
      listing(name, {
        gatewayAddresses: [
          '198.51.100.91',
          '198.51.100.92',
          '198.51.100.1',
          'gw.example',
          '2001:db8::1',
          '203.0.113.7',
        ],
      }),
    ),
  ],
  /** The adversary's mesh does not have its listed trust domain, so it is never a member. */
  trustDomains: [
    resolveContext(['c1', 'c2', 'c3']),
    ...VICTIMS.map((name) => listing(name, { trustDomains: ['td.one', 'td.two'] })),
    listing(ADVERSARY, { trustDomains: ['td.three'] }),
  ],
} as const satisfies Record<string, readonly Placed[]>;

type Terms = keyof typeof TERMS;

function honestUnder(terms: Terms): fc.Arbitrary<Placed[]> {
  return fc
    .array(placedObject, { maxLength: 30 })
    .map((some) => [
      ...[...BASE, ...some].filter(
        ({ cluster, object }) =>
          cluster !== ADVERSARY &&
          isHonest(cluster, object) &&
          (terms === 'nothing' || object.kind !== 'KubernetesCluster'),
      ),
      ...TERMS[terms],
      ...MESH_OF_ADVERSARY,
    ]);
}

/**
 * Excludes everything that the administrator grants to the adversary or requests of it, because such an effect is
 * intended. Also excludes requests of victims for the adversary's Services by name.
 */
function isHonest(cluster: string, { apiVersion, kind, spec }: KubeObject): boolean {
  const text = canonicalJson(spec ?? {});
  if (cluster !== '' && !apiVersion.startsWith('discovery.') && text.includes(ADVERSARY)) return false;
  switch (kind) {
    case 'Workspace':
      return !text.includes(ADVERSARY) && !text.includes('"*"');
    case 'TrafficPolicy': {
      const { trafficShift, mirror } = (spec as { policy?: Record<string, unknown> }).policy ?? {};
      const routeTargets = canonicalJson([trafficShift ?? 0, mirror ?? 0]);
      // A shift to a subset adds that subset to the route target as soon as the shift applies to any destination.
      return !routeTargets.includes(ADVERSARY) && !routeTargets.includes('"subset"');
    }
    // A selector over all clusters includes the adversary's.
    case 'VirtualDestination':
      return !text.includes(ADVERSARY) && !sweepsOverClusters(spec as VirtualDestination['spec']);
    case 'VirtualMesh':
      return !text.includes(`cp-two-fake-${ADVERSARY}`);
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

/** Objects of any cluster under the adversary's credential: with names, references, labels and addresses of others. */
const stolen: fc.Arbitrary<Placed> = placedObject.map(({ object }) => ({ cluster: ADVERSARY, object }));

const POISON: readonly unknown[] = [
  null,
  0,
  '*',
  '',
  'td.one/ns/x',
  '198.51.100.91',
  '240.0.1.1',
  'a.x.svc.c1.global',
  [],
  [null],
  {},
  { __proto__: null, constructor: 'x' },
  'x'.repeat(5000),
];

/** An object with one value replaced by an unexpected one. */
const poisoned: fc.Arbitrary<Placed> = fc
  .tuple(
    fc.constantFrom(...BASE.filter(({ cluster }) => cluster === ADVERSARY)),
    stolen,
    fc.boolean(),
    fc.nat(),
    fc.constantFrom(...POISON),
  )
  .map(([own, other, isOwn, at, value]) => {
    const object = JSON.parse(JSON.stringify(isOwn ? own.object : other.object)) as KubeObject;
    const places = [...placesOf(object.spec), ...placesOf(object.metadata.labels ?? {})];
    const place = places[at % Math.max(1, places.length)];
    if (place !== undefined) place.holder[place.field] = value;
    return { cluster: ADVERSARY, object };
  });

interface Place {
  readonly holder: Record<string, unknown>;
  readonly field: string;
}

function placesOf(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  const holder = value as Record<string, unknown>;
  return Object.keys(holder).flatMap((field) => [{ holder, field }, ...placesOf(holder[field])]);
}

/** Exports the adversary's services, under its own address, an address of a victim, or an unusable one. */
const exporting: fc.Arbitrary<Placed[]> = fc
  .constantFrom('203.0.113.66', '198.51.100.91', '::ffff:198.51.100.92', '240.0.1.1')
  .map((address) => {
    const own = BASE.filter(({ cluster, object }) => cluster === ADVERSARY && object.kind === 'Destination');
    const text = JSON.stringify(BASE.find(({ object }) => object.metadata.name === 'gw'));
    const gateway = text.replaceAll('"c1"', `"${ADVERSARY}"`).replaceAll('198.51.100.91', address);
    return [...own, JSON.parse(gateway) as Placed];
  });

function liesUnder(terms: Terms): fc.Arbitrary<Placed[]> {
  return fc
    .array(fc.oneof({ weight: 3, arbitrary: stolen }, { weight: 2, arbitrary: poisoned }), {
      minLength: 1,
      maxLength: 20,
    })
    .map((some) => some.filter(({ object }) => terms === 'trustDomains' || !isMeshOfAdversary(object)));
}

function attackUnder(terms: Terms): fc.Arbitrary<Placed[]> {
  return fc.tuple(fc.option(exporting, { nil: [] }), liesUnder(terms)).map(([first, then]) => [...first, ...then]);
}

/** Without listed trust domains, a replaced Mesh would be the administrator's grant with other content. */
function isMeshOfAdversary({ kind, metadata }: KubeObject): boolean {
  return kind === 'Mesh' && metadata.name === 'cp';
}

/** Fleets under attack. */
export const attackedFleets: fc.Arbitrary<AttackedFleet> = fc
  .constantFrom<Terms>('nothing', 'addresses', 'trustDomains')
  .chain((terms) => fc.record({ honest: honestUnder(terms), attack: attackUnder(terms) }))
  .map((attacked) => JSON.parse(JSON.stringify(attacked)) as AttackedFleet);
