/** Kinds that the agent reads in addition to those that discovery watches. */
import { clusterPolicyKinds } from '@meshrelay/api';
import { meshrelayKind } from '@meshrelay/kube';
import type { ResourceKind } from '@meshrelay/relay-core';

/** Meshrelay policies that may be in a workload cluster. */
export const POLICY_KINDS: readonly ResourceKind[] = clusterPolicyKinds.map(meshrelayKind);

/** Results of discovery. */
export const DISCOVERED_KINDS: readonly ResourceKind[] = (['Mesh', 'Workload', 'Destination'] as const).map(
  meshrelayKind,
);
