/**
 * The progress of the proxies of a cluster's workloads with the Wasm filters of a deployment, as the proxies report it.
 */
import { MAX_WASM_WORKLOADS, type WasmRollout, type WasmWorkload } from '@meshrelay/api';
import { type Collection, type Key, key, type Read } from '@meshrelay/plugin';
import type { Graph } from '../graph/collection.ts';
import type { PolicyAckStatus } from '../output/mod.ts';
import { policyKey } from '../store/fleet-state.ts';
import { firstOf } from './first-of.ts';
import type { TimelessCondition } from './timeless-condition.ts';

/** The rollout facts in a deployment's status. */
export interface RolloutFacts {
  readonly rollout?: WasmRollout;
}

/** Both empty if no reporting proxy should run a Wasm filter. */
export interface RolloutStatus {
  readonly conditions: readonly TimelessCondition[];
  readonly facts: RolloutFacts;
}

/** Computes the rollout of a deployment, for later transforms. */
export function rollouts(
  graph: Graph,
  ackStatus: Collection<PolicyAckStatus>,
): (policy: Key, read: Read) => RolloutStatus | undefined {
  const byPolicy = graph.index(ackStatus, 'status/ack-status-by-policy', ({ policy }) => [policyKey(policy)]);
  return (policy, read) => {
    const reported = read.by(byPolicy, policy).map(([, one]) => one);
    if (reported.length === 0) return undefined;
    const rollout = rolloutOf(reported);
    return { conditions: [conditionOf(rollout)], facts: { rollout } };
  };
}

function rolloutOf(reported: readonly PolicyAckStatus[]): WasmRollout {
  const sum = (of: 'proxies' | 'pending' | 'failed'): number => reported.reduce((total, one) => total + one[of], 0);
  const [proxies, pending, failed] = [sum('proxies'), sum('pending'), sum('failed')];
  const workloads = new Map<Key, WasmWorkload>();
  for (const { cluster, workloads: behind } of reported) {
    for (const { namespace, name, ...more } of behind) {
      const id = key(cluster, namespace, name);
      const before = workloads.get(id) ?? { pending: 0, failed: 0 };
      const counts = { pending: before.pending + more.pending, failed: before.failed + more.failed };
      workloads.set(id, { cluster, namespace, name, state: counts.failed > 0 ? 'FAILED' : 'PENDING', ...counts });
    }
  }
  return {
    deployed: proxies - pending - failed,
    pending,
    failed,
    workloads: firstOf(workloads.values(), MAX_WASM_WORKLOADS, compareWorkloads),
  };
}

function conditionOf({ deployed, pending, failed }: WasmRollout): TimelessCondition {
  const type = 'Deployed';
  const counts = `${deployed} deployed, ${pending} pending, ${failed} failed, one for each module and connected Envoy`;
  if (failed > 0) return { type, status: 'False', reason: 'Failed', message: `${counts}; see the reports` };
  if (pending > 0) return { type, status: 'False', reason: 'Pending', message: counts };
  return { type, status: 'True', reason: 'Taken', message: counts };
}

function compareWorkloads(a: WasmWorkload, b: WasmWorkload): number {
  if (a.state !== b.state) return a.state === 'FAILED' ? -1 : 1;
  return key(a.cluster, a.namespace, a.name) < key(b.cluster, b.namespace, b.name) ? -1 : 1;
}
