/** The destinations a policy selects: how many, and the first of them, without going through all of a policy for everything. */
import type { Graph, Read } from '../graph/collection.ts';
import { type Key, partsOf } from '../graph/key.ts';
import { type Authority, imports, owns } from '../resolve/authority/authority.ts';
import { ALL_CLUSTERS } from '../resolve/destinations.ts';
import { isForEverything, type TargetedPolicy } from '../resolve/policies.ts';
import type { Resolved } from '../resolve/resolve.ts';
import { claimedBucket, clusterBucket, importedBucket, workspaceBucket } from '../resolve/selectors.ts';

export interface SelectedTargets {
  readonly count: number;
  /** Of a destination there is. */
  has(destination: Key): boolean;
  /** By cluster, namespace and name. Those of clusters that are not registered are counted, but not told. */
  inOrder(): Iterable<Key>;
}

const NOTHING: SelectedTargets = { count: 0, has: () => false, inOrder: () => [] };

/** Finds what a policy selects, for transforms that come after. */
export function selectedTargets(
  graph: Graph,
  { policies, destinations }: Pick<Resolved, 'policies' | 'destinations'>,
): (policyKey: Key, read: Read) => SelectedTargets {
  const byPolicy = graph.index(policies.pairs, 'status/pairs-by-policy', ({ left }) => [left]);
  return (policyKey, read) => {
    const policy = read.get(policies.targeted, policyKey);
    if (policy === undefined) return NOTHING;
    if (isForEverything(policy.object)) return everything(policy, destinations, read);
    const selected = read.by(byPolicy, policyKey).map(([, { right }]) => right);
    const set = new Set(selected);
    return { count: selected.length, has: (destination) => set.has(destination), inOrder: () => selected };
  };
}

function everything(
  { authority, object: { kind } }: TargetedPolicy,
  { byBucket, clusters, known }: Resolved['destinations'],
  read: Read,
): SelectedTargets {
  if (authority.kind === 'workspace') {
    const buckets = [workspaceBucket(authority.workspace)];
    if (kind === 'TrafficPolicy') buckets.push(importedBucket(authority.workspace));
    return {
      count: buckets.reduce((sum, bucket) => sum + read.count(byBucket, bucket), 0),
      has: (destination) => {
        const found = read.get(known, destination);
        return (
          found !== undefined && (owns(authority, found) || (kind === 'TrafficPolicy' && imports(authority, found)))
        );
      },
      inOrder: () => buckets.flatMap((bucket) => read.by(byBucket, bucket).map(([destination]) => destination)).sort(),
    };
  }
  const realm = realmOf(authority);
  const withoutClaimed = authority.kind === 'commons';
  function* inOrder(): Iterable<Key> {
    const names = realm === '' ? read.by(clusters, ALL_CLUSTERS).map(([, { name }]) => name) : [realm];
    for (const cluster of names) {
      for (const [destination, { workspace }] of read.by(byBucket, clusterBucket(cluster)))
        if (!withoutClaimed || workspace === undefined) yield destination;
    }
  }
  const claimed = withoutClaimed ? read.count(byBucket, claimedBucket(realm)) : 0;
  return {
    count: read.count(byBucket, clusterBucket(realm)) - claimed,
    has: (destination) =>
      (realm === '' || partsOf(destination)[0] === realm) &&
      (claimed === 0 || read.get(known, destination)?.workspace === undefined),
    inOrder,
  };
}

function realmOf(authority: Exclude<Authority, { readonly kind: 'workspace' }>): string {
  return authority.kind === 'commons' ? authority.cluster : '';
}
