/** What policies of each kind select. */
import type { AccessLogRecord, AccessPolicy, Policy, TrafficPolicy, WasmDeployment } from '@meshrelay/api';

/** True for the kinds that select destinations to act on. */
export function isTargeted(policy: Policy): policy is TrafficPolicy | AccessPolicy {
  return policy.kind === 'TrafficPolicy' || policy.kind === 'AccessPolicy';
}

/** The kinds of policies that select workloads to act on. */
export type WorkloadPolicy = AccessLogRecord | WasmDeployment;

/** True for the kinds that select workloads. */
export function isForWorkloads(policy: Policy): policy is WorkloadPolicy {
  return policy.kind === 'AccessLogRecord' || policy.kind === 'WasmDeployment';
}
