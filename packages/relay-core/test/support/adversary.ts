/** Worlds with a cluster that nobody can trust: whoever holds its credential says whatever they like. */
import type { KubeObject, VirtualDestination } from '@meshrelay/api';
import fc from 'fast-check';
import { BASE } from './base-world.ts';
import { canonicalJson } from './core.ts';
import { type Placed, placedObject } from './world-objects.ts';

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

/** The victims joined first. */
const SYNCED: Placed = {
  cluster: '',
  object: {
    apiVersion: 'admin.meshrelay.dev/v1alpha1',
    kind: 'Ledger',
    metadata: { name: 'ledger-clusters', namespace: 'meshrelay' },
    spec: {
      clusters: ['c1', 'c2', 'c3'].map((name, index) => ({ name, firstSyncedAt: `2026-01-0${index + 1}T00:00:00Z` })),
    },
  } as unknown as KubeObject,
};

const honest: fc.Arbitrary<Placed[]> = fc
  .array(placedObject, { maxLength: 30 })
  .map((some) => [...BASE, SYNCED, ...some].filter(({ cluster, object }) => cluster !== ADVERSARY && isHonest(object)))
  .map((some) => [...some, ...MESH_OF_ADVERSARY]);

/** What the administrator grants the adversary, or asks of it, is granted and asked for: none of that is here. */
function isHonest({ kind, spec }: KubeObject): boolean {
  const text = canonicalJson(spec);
  switch (kind) {
    case 'Workspace':
      return !text.includes(ADVERSARY) && !text.includes('"*"');
    case 'TrafficPolicy': {
      const { trafficShift, mirror } = (spec as { policy?: Record<string, unknown> }).policy ?? {};
      const goals = canonicalJson([trafficShift ?? 0, mirror ?? 0]);
      // A shift to a subset gives the goal that subset as soon as there is anything that it holds for.
      return !goals.includes(ADVERSARY) && !goals.includes('"subset"');
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

const lies: fc.Arbitrary<Placed[]> = fc
  .array(fc.oneof({ weight: 3, arbitrary: stolen }, { weight: 2, arbitrary: poisoned }), {
    minLength: 1,
    maxLength: 20,
  })
  .map((some) => some.filter(({ object }) => !isMeshOfAdversary(object)));

const attack: fc.Arbitrary<Placed[]> = fc
  .tuple(fc.option(exporting, { nil: [] }), lies)
  .map(([first, then]) => [...first, ...then]);

/** One that the adversary replaced would be the administrator's grant under other terms. */
function isMeshOfAdversary({ kind, metadata }: KubeObject): boolean {
  return kind === 'Mesh' && metadata.name === 'cp';
}

/** Fleets under attack. */
export const sieges: fc.Arbitrary<Siege> = fc
  .record({ honest, attack })
  .map((siege) => JSON.parse(JSON.stringify(siege)) as Siege);
