/** Worlds with a cluster that nobody can trust: whoever holds its credential says whatever they like. */
import type { KubeObject, VirtualDestination } from '@meshrelay/api';
import fc from 'fast-check';
import { BASE } from './base-fleet.ts';
import { canonicalJson } from './core.ts';
import { type Placed, placedObject } from './fleet-objects.ts';

/** The cluster that is the adversary's. */
export const ADVERSARY = 'c3';
export const VICTIMS: readonly string[] = ['c1', 'c2'];

/** A fleet, and what the adversary adds to it. */
export interface Siege {
  /** The others' objects, and the adversary's mesh: what it says of itself is its own affair, and that it is there the administrator's. */
  readonly honest: readonly Placed[];
  readonly attack: readonly Placed[];
}

const MESH_OF_ADVERSARY = BASE.filter(({ cluster, object }) => cluster === ADVERSARY && object.kind === 'Mesh');

/** @param names the first to join first */
function resolveContext(names: readonly string[]): Placed {
  return placed('admin', 'Ledger', 'ledger-clusters', {
    clusters: names.map((name, index) => ({ name, firstSyncedAt: `2026-01-0${index + 1}T00:00:00Z` })),
  });
}

function placed(group: string, kind: string, name: string, spec: object): Placed {
  const apiVersion = `${group}.meshrelay.dev/v1alpha1`;
  const object = { apiVersion, kind, metadata: { name, namespace: 'meshrelay' }, spec };
  return { cluster: '', object: object as unknown as KubeObject };
}

const listing = (name: string, spec: object): Placed => placed('multicluster', 'KubernetesCluster', name, spec);

/** What the administrator lists of the clusters, and who joined first: what is not listed goes to them. */
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
  /** The adversary's mesh has none that is listed, so it is no member, whatever it says. */
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
 * What the administrator grants the adversary, or asks of it, is granted and asked for: none of that is here, nor what a victim asks of the
 * adversary's Services by their names.
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
      // A shift to a subset gives the goal that subset as soon as there is anything that it holds for.
      return !routeTargets.includes(ADVERSARY) && !routeTargets.includes('"subset"');
    }
    // One that sweeps over all clusters takes whatever these have.
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

/** Objects of any cluster under the adversary's credential: with the others' names, references, labels and addresses. */
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

/** With any one value of it replaced by one that nobody expects. */
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

/** What makes the adversary's services reachable for others, by an address of its own, a victim's, or none that can be. */
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

/** Where no trust domains are listed, one that the adversary replaced would be the administrator's grant under other terms. */
function isMeshOfAdversary({ kind, metadata }: KubeObject): boolean {
  return kind === 'Mesh' && metadata.name === 'cp';
}

/** Fleets under attack. */
export const sieges: fc.Arbitrary<Siege> = fc
  .constantFrom<Terms>('nothing', 'addresses', 'trustDomains')
  .chain((terms) => fc.record({ honest: honestUnder(terms), attack: attackUnder(terms) }))
  .map((siege) => JSON.parse(JSON.stringify(siege)) as Siege);
