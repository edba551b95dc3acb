/** The workloads to report when a Wasm filter does not run as configured: those whose proxies report it. */
import { MAX_STATUS_TARGETS, type PolicyRef, type XdsLaggingWorkload, type XdsNack } from '@meshrelay/api';
import { type Collection, type Key, key, type MeshFacts, type Read } from '@meshrelay/plugin';
import type { Diagnostic, KnownWorkload, WorkloadPolicies } from '../resolve/mod.ts';
import { policyKey } from '../store/fleet-state.ts';

/** A workload whose proxies should run what a policy configures. */
export type RunningWorkload = Pick<KnownWorkload, 'namespace' | 'name' | 'serviceAccount'> & {
  readonly workload: Key;
};

/**
 * Finds the workloads of a policy in the cluster of an object, in meshes of the object's plugin. Reads all workloads
 * that the policy selects there.
 */
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

/** The targets of reports about NACKs. */
export interface Concerned {
  readonly target: Diagnostic['target'];
  readonly refused: readonly XdsNack[];
}

/**
 * The first workloads whose proxies are known to fail. If none is known, for example before any proxy is connected, the
 * first of all.
 * @param running in the order of their keys
 * @param behind what proxies report about workloads
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
    // With very many NACKs, only the first ones are included: NACKs of another ServiceAccount then represent them.
    return { target: { kind: 'Workload', key: workload }, refused: own.length === 0 ? rejections.slice(0, 1) : own };
  });
}
