// The kinds that get a PolicyStatus, in one place for everybody who lists, watches or pushes them.
import type { Policy } from '../meshrelay-object.ts';

/** Policies that count wherever they are: in the management cluster and in every workload cluster. */
export const clusterPolicyKinds: readonly Policy['kind'][] = [
  'VirtualMesh',
  'TrafficPolicy',
  'AccessPolicy',
  'VirtualDestination',
  'AccessLogRecord',
  'WasmDeployment',
  'WorkspaceSettings',
];

/** All policies: a Workspace counts in the management cluster only, since it says who may do what. */
export const policyKinds: readonly Policy['kind'][] = [...clusterPolicyKinds, 'Workspace'];
