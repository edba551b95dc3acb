/** The destinations a policy selects: how many, and the first of them, without going through all of a policy for everything. */
import type { PolicyRef } from '@meshrelay/api';
import type { Graph, Read } from '../graph/collection.ts';
import { type Key, partsOf } from '../graph/key.ts';
import { ALL_CLUSTERS } from '../resolve/destinations.ts';
import { type CheckedPolicy, isForEverything } from '../resolve/policies.ts';
import type { Resolved } from '../resolve/resolve.ts';
import { realmBucket } from '../resolve/selectors.ts';

export interface SelectedTargets {
  readonly count: number;
  /** Of a destination there is. */
  has(destination: Key): boolean;
  /** By cluster, namespace and name. Those of clusters that are not registered are counted, but not told. */
  inOrder(): Iterable<Key>;
}

/** Finds what a policy selects, for transforms that come after. */
export function selectedTargets(
  graph: Graph,
  { policies, destinations }: Pick<Resolved, 'policies' | 'destinations'>,
): (policy: CheckedPolicy, policyKey: Key, read: Read) => SelectedTargets {
  const byPolicy = graph.index(policies.applications, 'status/applications-by-policy', ({ policy }) => [policy.key]);
  return ({ ref, object }, policyKey, read) => {
    if (isForEverything(object)) return everything(ref, destinations, read);
    const selected = read.by(byPolicy, policyKey).map(([, { destination }]) => destination);
    const set = new Set(selected);
    return { count: selected.length, has: (destination) => set.has(destination), inOrder: () => selected };
  };
}

function everything(
  { cluster: realm }: PolicyRef,
  destinations: Resolved['destinations'],
  read: Read,
): SelectedTargets {
  function* inOrder(): Iterable<Key> {
    const clusters = realm === '' ? read.by(destinations.clusters, ALL_CLUSTERS).map(([, { name }]) => name) : [realm];
    for (const cluster of clusters)
      for (const [destination] of read.by(destinations.byBucket, realmBucket(cluster))) yield destination;
  }
  return {
    count: read.count(destinations.byBucket, realmBucket(realm)),
    has: (destination) => realm === '' || partsOf(destination)[0] === realm,
    inOrder,
  };
}
