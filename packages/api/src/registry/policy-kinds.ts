// The kinds with a PolicyStatus, shared by all code that lists, watches or pushes them.
import type { Policy } from '../meshrelay-object.ts';

/** Policies that apply wherever they are: in the management cluster and in every workload cluster. */
export const clusterPolicyKinds: readonly Policy['kind'][] = [
  'VirtualMesh',
  'TrafficPolicy',
  'AccessPolicy',
  'VirtualDestination',
  'AccessLogRecord',
  'WasmDeployment',
  'WorkspaceSettings',
];

/** All policies: a Workspace applies in the management cluster only, since it grants permissions. */
export const policyKinds: readonly Policy['kind'][] = [...clusterPolicyKinds, 'Workspace'];
