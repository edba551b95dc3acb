/** Policies that select workloads: matched with the workloads they may act on. */
import { type Collection, type Group, type Index, type Key, key, type Pair, partsOf } from '@meshrelay/plugin';
import type { Graph } from '../../graph/collection.ts';
import type { FleetState } from '../../store/fleet-state.ts';
import { type WorkloadFacts, workloadFacts } from '../inventory/mod.ts';
import { type CheckedPolicy, isForWorkloads, type WorkloadPolicy } from '../policies/mod.ts';
import { type Authorities, owns, type PolicyScope, type WorkspaceAccess } from '../workspaces/mod.ts';
import { selectsWorkload, workloadBuckets, workloadSelectorBuckets } from './workload-selectors.ts';

/** A policy that selects workloads, with what it may act on. */
export interface TargetingPolicy<P extends WorkloadPolicy = WorkloadPolicy> extends CheckedPolicy<P> {
  readonly authority: PolicyScope;
}

/** A workload, with the workspaces that own and import it. */
export interface KnownWorkload extends WorkloadFacts, WorkspaceAccess {}

export interface WorkloadPolicies {
  /** Under the policies' keys. */
  readonly targeting: Collection<TargetingPolicy>;
  /** Every workload, under its key, if the fleet has a policy that may select it; otherwise none. */
  readonly workloads: Collection<KnownWorkload>;
  /** Each policy with each workload it selects. */
  readonly pairs: Collection<Pair>;
  /** The pairs of each policy, by its key, and by that and a cluster. */
  readonly pairsOf: Index<Pair>;
  /** The keys of the policies of each workload, in the order of the keys. */
  readonly ofWorkload: Collection<Group<Key>>;
}

/** Matches policies with workloads. */
export function resolveWorkloadPolicies(
  graph: Graph,
  fleetState: Pick<FleetState, 'workloads'>,
  checked: Collection<CheckedPolicy>,
  authorities: Pick<Authorities, 'ofPolicy' | 'workspaceAccessOfMesh'>,
): WorkloadPolicies {
  const targeting = graph.derive('extensions/targeting', checked, (policy, read, id): TargetingPolicy | undefined => {
    const { object } = policy;
    const authority = isForWorkloads(object) ? read.get(authorities.ofPolicy, id) : undefined;
    return authority === undefined ? undefined : ({ ...policy, authority } as TargetingPolicy);
  });
  // In a fleet without such policies one read serves all workloads, and nothing is stored for them.
  const any = graph.index(targeting, 'extensions/any-policy', () => [ANY]);
  const workloads = graph.derive(
    'extensions/workloads',
    fleetState.workloads,
    ({ value }, read): KnownWorkload | undefined => {
      if (!read.any(any, ANY)) return undefined;
      const known = workloadFacts(value);
      return { ...known, ...authorities.workspaceAccessOfMesh(read, known) };
    },
  );
  const byBucket = graph.index(workloads, 'extensions/workloads-by-bucket', workloadBuckets);
  const pairs = graph.match('extensions/targets', targeting, byBucket, {
    candidateBuckets: ({ object }) => workloadSelectorBuckets(object.spec.workloadSelectors),
    matches: ({ object, authority }, workload) =>
      owns(authority, workload) && selectsWorkload(object.spec.workloadSelectors, workload),
  });
  const pairsOf = graph.index(pairs, 'extensions/pairs-of-policy', ({ left, right }) => [
    left,
    key(left, clusterOfWorkload(right)),
  ]);
  const ofWorkload = graph.group(
    'extensions/policies-of-workload',
    pairs,
    ({ left, right }): Array<readonly [Key, Key]> => [[right, left]],
    (a, b) => (a < b ? -1 : a > b ? 1 : 0),
  );
  return { targeting, workloads, pairs, pairsOf, ofWorkload };
}

const ANY = key('any');

function clusterOfWorkload(workload: Key): string {
  return partsOf(workload)[0] ?? '';
}
