/**
 * The destinations or workloads that a policy selects: their number, and the first of them, without iterating over all.
 */
import { MAX_STATUS_TARGETS } from '@meshrelay/api';
import { type Index, type Key, key, type Read } from '@meshrelay/plugin';
import {
  ALL_CLUSTERS,
  clusterBucket,
  importedBucket,
  isForEverything,
  isForWorkloads,
  isSelected,
  isTargeted,
  type PolicyScope,
  type Resolved,
  type TargetedPolicy,
  type TargetKind,
  workspaceBucket,
  workspaceOwnedBucket,
} from '../resolve/mod.ts';

/** More than a status lists. */
const SMALL_COUNT = 2 * MAX_STATUS_TARGETS;

/** Nothing is read before it is requested. */
export interface SelectedTargets {
  /** The kind of all of them. */
  readonly kind: TargetKind;
  count(): number;
  /** Requires that the target exists. */
  has(target: Key): boolean;
  /** By cluster, namespace and name. Targets in unregistered clusters are counted, but not listed. */
  inOrder(): Iterable<Key>;
}

/** Finds what a policy selects, for later transforms. */
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
            inOrder: () => inTwoReads(read, rights, [policyKey]),
          }),
    };
  };
}

/** Readers nearly always need only the first few. */
function* inTwoReads(read: Read, index: Index<unknown>, buckets: readonly Key[]): Iterable<Key> {
  const keysOf = (lookup: (bucket: Key) => ReadonlyArray<readonly [Key, unknown]>): Key[] =>
    buckets.flatMap((bucket) => lookup(bucket).map(([target]) => target)).sort();
  yield* keysOf((bucket) => read.first(index, bucket, SMALL_COUNT)).slice(0, SMALL_COUNT);
  yield* keysOf((bucket) => read.by(index, bucket)).slice(SMALL_COUNT);
}

function selectedWorkloads({
  extensions: { pairs, pairsOf },
  destinations: { clusterNames },
}: Pick<Resolved, 'extensions' | 'destinations'>): SelectedBy {
  return (policyKey, read) => {
    // One cluster after the other, and no more than are listed: a change in a later cluster has no effect.
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
      inOrder: () => inTwoReads(read, byBucket, buckets),
    };
  }
  const clusterScope = clusterScopeOf(authority);
  const withoutClaimed = authority.kind === 'unassigned';
  function* inOrder(): Iterable<Key> {
    const names = clusterScope === '' ? (read.get(clusterNames, ALL_CLUSTERS) ?? []) : [clusterScope];
    for (const cluster of names) {
      for (const [destination, { workspace }] of read.by(byBucket, clusterBucket(cluster)))
        if (!withoutClaimed || workspace === undefined) yield destination;
    }
  }
  return {
    count: () =>
      read.count(byBucket, clusterBucket(clusterScope)) -
      (withoutClaimed ? read.count(byBucket, workspaceOwnedBucket(clusterScope)) : 0),
    inOrder,
  };
}

function clusterScopeOf(authority: Exclude<PolicyScope, { readonly kind: 'workspace' }>): string {
  return authority.kind === 'unassigned' ? authority.cluster : '';
}
