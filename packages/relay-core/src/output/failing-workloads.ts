/** Whom it is told of that a module does not run as it is wanted: the workloads whose proxies say so. */
import { MAX_STATUS_TARGETS, type PolicyRef, type XdsLaggingWorkload, type XdsNack } from '@meshrelay/api';
import type { Collection, Read } from '../graph/collection.ts';
import { type Key, key } from '../graph/key.ts';
import type { MeshFacts } from '../plugin/views/mod.ts';
import type { Diagnostic } from '../resolve/diagnostic.ts';
import type { KnownWorkload, WorkloadPolicies } from '../resolve/extensions/workload-policies.ts';
import { policyKey } from '../store/fleet-state.ts';

/** A workload whose proxies are to run what a policy says. */
export type RunningWorkload = Pick<KnownWorkload, 'namespace' | 'name' | 'serviceAccount'> & {
  readonly workload: Key;
};

/** Finds those of a policy in the cluster of an object, in meshes of the object's plugin: looks at all that the policy selects there. */
export type WorkloadsRunning = (
  read: Read,
  policy: PolicyRef,
  object: { readonly cluster: string; readonly plugin: string },
) => readonly RunningWorkload[];

export function workloadsRunning(
  { pairsOf, workloads }: Pick<WorkloadPolicies, 'pairsOf' | 'workloads'>,
  meshes: Collection<MeshFacts>,
): WorkloadsRunning {
  return (read, policy, { cluster, plugin }) =>
    read.by(pairsOf, key(policyKey(policy), cluster)).flatMap(([, { right: workload }]) => {
      const known = read.get(workloads, workload);
      if (known?.mesh === undefined || read.get(meshes, known.mesh)?.type !== plugin) return [];
      const { namespace, name, serviceAccount } = known;
      return [{ workload, namespace, name, serviceAccount }];
    });
}

/** Who is told of refusals. */
export interface Concerned {
  readonly target: Diagnostic['target'];
  readonly refused: readonly XdsNack[];
}

/**
 * The first workloads whose proxies are known to fail; where that is known of none, as before any is connected, the first of all.
 * @param running in the order of their keys
 * @param behind what proxies say of workloads
 */
export function failing(
  rejections: readonly XdsNack[],
  running: readonly RunningWorkload[],
  behind: readonly XdsLaggingWorkload[],
): readonly Concerned[] {
  const names = new Set(behind.filter(({ failed }) => failed > 0).map(({ namespace, name }) => key(namespace, name)));
  const known = running.filter(({ namespace, name }) => names.has(key(namespace, name)));
  return (known.length === 0 ? running : known).slice(0, MAX_STATUS_TARGETS).map(({ workload, ...one }) => {
    const account = `${one.namespace}/${one.serviceAccount}`;
    const own = rejections.filter(({ by }) => by === undefined || by === account);
    // Of very many refusals only the first are told: then those of another account say what there is to say.
    return { target: { kind: 'Workload', key: workload }, refused: own.length === 0 ? rejections.slice(0, 1) : own };
  });
}
