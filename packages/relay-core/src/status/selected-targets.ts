/** The destinations or workloads a policy selects: how many, and the first of them, without going through all of a policy for everything. */
import { MAX_STATUS_TARGETS } from '@meshrelay/api';
import type { Index, Read } from '../graph/collection.ts';
import { type Key, key } from '../graph/key.ts';
import type { Authority } from '../resolve/authority/authority.ts';
import { ALL_CLUSTERS } from '../resolve/destinations.ts';
import { isForWorkloads } from '../resolve/extensions/workload-policies.ts';
import { isForEverything, isSelected, isTargeted, type TargetedPolicy } from '../resolve/policies.ts';
import type { Resolved } from '../resolve/resolve.ts';
import { claimedBucket, clusterBucket, importedBucket, workspaceBucket } from '../resolve/selectors.ts';
import type { TargetKind } from '../resolve/verdict.ts';

/** More than a status tells. */
const FEW = 2 * MAX_STATUS_TARGETS;

/** Nothing is looked at before it is asked for. */
export interface SelectedTargets {
  /** Of all of them. */
  readonly kind: TargetKind;
  count(): number;
  /** Of a target there is. */
  has(target: Key): boolean;
  /** By cluster, namespace and name. Those of clusters that are not registered are counted, but not told. */
  inOrder(): Iterable<Key>;
}

/** Finds what a policy selects, for transforms that come after. */
export type SelectedBy = (policy: Key, read: Read) => SelectedTargets;

const NO_TARGETS: SelectedTargets = { kind: 'Destination', count: () => 0, has: () => false, inOrder: () => [] };

/** What policies of any kind select. */
export function selectedTargets(resolved: Pick<Resolved, 'policies' | 'destinations' | 'extensions'>): SelectedBy {
  const destinationsOf = selectedDestinations(resolved);
  const workloadsOf = selectedWorkloads(resolved);
  return (policyKey, read) => {
    const object = read.get(resolved.policies.checked, policyKey)?.object;
    if (object === undefined) return NO_TARGETS;
    if (isTargeted(object)) return destinationsOf(policyKey, read);
    return isForWorkloads(object) ? workloadsOf(policyKey, read) : NO_TARGETS;
  };
}

function selectedDestinations({ policies, destinations }: Pick<Resolved, 'policies' | 'destinations'>): SelectedBy {
  return (policyKey, read) => {
    const policy = read.get(policies.targeted, policyKey);
    if (policy === undefined) return NO_TARGETS;
    const { rights } = policies.targets;
    return {
      kind: 'Destination',
      has: (destination) => {
        const facts = read.get(destinations.known, destination);
        return facts !== undefined && isSelected(policy, facts);
      },
      ...(isForEverything(policy.object)
        ? everything(policy, destinations, read)
        : {
            count: () => read.count(rights, policyKey),
            inOrder: () => inTwoLooks(read, rights, [policyKey]),
          }),
    };
  };
}

/** The first few are nearly always all that is asked for. */
function* inTwoLooks(read: Read, index: Index<unknown>, buckets: readonly Key[]): Iterable<Key> {
  const keysOf = (look: (bucket: Key) => ReadonlyArray<readonly [Key, unknown]>): Key[] =>
    buckets.flatMap((bucket) => look(bucket).map(([target]) => target)).sort();
  yield* keysOf((bucket) => read.first(index, bucket, FEW)).slice(0, FEW);
  yield* keysOf((bucket) => read.by(index, bucket)).slice(FEW);
}

function selectedWorkloads({
  extensions: { pairs, pairsOf },
  destinations: { clusterNames },
}: Pick<Resolved, 'extensions' | 'destinations'>): SelectedBy {
  return (policyKey, read) => {
    // One cluster after the other, and no more than are shown: a change elsewhere is of no concern.
    function* inOrder(): Iterable<Key> {
      for (const name of read.get(clusterNames, ALL_CLUSTERS) ?? [])
        for (const [, { right }] of read.by(pairsOf, key(policyKey, name))) yield right;
    }
    return {
      kind: 'Workload',
      count: () => read.count(pairsOf, policyKey),
      has: (workload) => read.has(pairs, key(policyKey, workload)),
      inOrder,
    };
  };
}

function everything(
  { authority, object: { kind } }: TargetedPolicy,
  { byBucket, clusterNames }: Resolved['destinations'],
  read: Read,
): Pick<SelectedTargets, 'count' | 'inOrder'> {
  if (authority.kind === 'workspace') {
    const buckets = [workspaceBucket(authority.workspace)];
    if (kind === 'TrafficPolicy') buckets.push(importedBucket(authority.workspace));
    return {
      count: () => buckets.reduce((sum, bucket) => sum + read.count(byBucket, bucket), 0),
      inOrder: () => inTwoLooks(read, byBucket, buckets),
    };
  }
  const realm = realmOf(authority);
  const withoutClaimed = authority.kind === 'commons';
  function* inOrder(): Iterable<Key> {
    const names = realm === '' ? (read.get(clusterNames, ALL_CLUSTERS) ?? []) : [realm];
    for (const cluster of names) {
      for (const [destination, { workspace }] of read.by(byBucket, clusterBucket(cluster)))
        if (!withoutClaimed || workspace === undefined) yield destination;
    }
  }
  return {
    count: () =>
      read.count(byBucket, clusterBucket(realm)) - (withoutClaimed ? read.count(byBucket, claimedBucket(realm)) : 0),
    inOrder,
  };
}

function realmOf(authority: Exclude<Authority, { readonly kind: 'workspace' }>): string {
  return authority.kind === 'commons' ? authority.cluster : '';
}
