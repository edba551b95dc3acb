/** The destinations or workloads a policy selects: how many, and the first of them, without going through all of a policy for everything. */
import type { Read } from '../graph/collection.ts';
import { type Key, key, partsOf } from '../graph/key.ts';
import { type Authority, imports, owns } from '../resolve/authority/authority.ts';
import { ALL_CLUSTERS } from '../resolve/destinations.ts';
import { isForEverything, type TargetedPolicy } from '../resolve/policies.ts';
import type { Resolved } from '../resolve/resolve.ts';
import { claimedBucket, clusterBucket, importedBucket, workspaceBucket } from '../resolve/selectors.ts';
import type { TargetKind } from '../resolve/verdict.ts';

export interface SelectedTargets {
  /** Of all of them. */
  readonly kind: TargetKind;
  readonly count: number;
  /** Of a target there is. */
  has(target: Key): boolean;
  /** By cluster, namespace and name. Those of clusters that are not registered are counted, but not told. */
  inOrder(): Iterable<Key>;
}

export const NO_TARGETS: SelectedTargets = { kind: 'Destination', count: 0, has: () => false, inOrder: () => [] };

/** Finds what a policy selects, for transforms that come after. */
export function selectedTargets({
  policies,
  destinations,
}: Pick<Resolved, 'policies' | 'destinations'>): (policyKey: Key, read: Read) => SelectedTargets {
  return (policyKey, read) => {
    const policy = read.get(policies.targeted, policyKey);
    if (policy === undefined) return NO_TARGETS;
    if (isForEverything(policy.object)) return everything(policy, destinations, read);
    const selected = read.by(policies.targets.rights, policyKey).map(([destination]) => destination);
    const set = new Set(selected);
    return {
      kind: 'Destination',
      count: selected.length,
      has: (destination) => set.has(destination),
      inOrder: () => selected,
    };
  };
}

/** The same for policies that select workloads. */
export function selectedWorkloads({
  extensions: { pairs, pairsOf },
  destinations: { clusters },
}: Pick<Resolved, 'extensions' | 'destinations'>): (policyKey: Key, read: Read) => SelectedTargets {
  return (policyKey, read) => {
    // One cluster after the other, and no more than are shown: a change elsewhere is of no concern.
    function* inOrder(): Iterable<Key> {
      for (const [, { name }] of read.by(clusters, ALL_CLUSTERS))
        for (const [, { right }] of read.by(pairsOf, key(policyKey, name))) yield right;
    }
    return {
      kind: 'Workload',
      count: read.count(pairsOf, policyKey),
      has: (workload) => read.has(pairs, key(policyKey, workload)),
      inOrder,
    };
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
      kind: 'Destination',
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
    kind: 'Destination',
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
