/** The kinds the agent reads beside those that discovery watches. */
import { clusterPolicyKinds } from '@meshrelay/api';
import { meshrelayKind } from '@meshrelay/kube';
import type { ResourceKind } from '@meshrelay/relay-core';

/** Policies of ours that may live in a workload cluster. */
export const POLICY_KINDS: readonly ResourceKind[] = clusterPolicyKinds.map(meshrelayKind);

/** What discovery finds. */
export const DISCOVERED_KINDS: readonly ResourceKind[] = (['Mesh', 'Workload', 'Destination'] as const).map(
  meshrelayKind,
);
