/** The one word for how a registered cluster stands. */
import type { ClusterState } from '@meshrelay/api';
import type { ClusterFacts } from '@meshrelay/relay-core';
import type { ClusterConnection } from '../relay/connections.ts';

/** What is known of a cluster beside its registration and its connection. */
export interface ClusterHistory {
  /** Whether it was ever known in full. */
  readonly synced: boolean;
  /** Whether it is known in full and has nothing of ours. */
  readonly empty?: boolean;
  /** Whether its agent may be connected to another replica, of which nothing is heard. */
  readonly unheard?: boolean;
}

export function clusterState(
  { suspended, draining }: ClusterFacts,
  { push, pull }: Pick<ClusterConnection, 'push' | 'pull'>,
  { synced, empty = false, unheard = false }: ClusterHistory,
): ClusterState {
  if (draining === true) return empty ? 'DRAINED' : 'DRAINING';
  if (suspended) return 'SUSPENDED';
  if (unheard) return 'UNKNOWN';
  if (push && pull) return 'CONNECTED';
  return synced ? 'DISCONNECTED' : 'PENDING';
}
