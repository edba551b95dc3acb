/** The one word for how a registered cluster stands. */
import type { ClusterState } from '@meshrelay/api';
import type { ClusterFacts } from '@meshrelay/relay-core';
import type { ClusterConnection } from '../relay/connections.ts';

/** @param synced whether it was ever known in full */
export function clusterState(
  { suspended }: ClusterFacts,
  { push, pull }: Pick<ClusterConnection, 'push' | 'pull'>,
  synced: boolean,
): ClusterState {
  if (suspended) return 'SUSPENDED';
  if (push && pull) return 'CONNECTED';
  return synced ? 'DISCONNECTED' : 'PENDING';
}
