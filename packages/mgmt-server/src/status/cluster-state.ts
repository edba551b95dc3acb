/** State of a registered cluster, as one word. */
import type { ClusterState } from '@meshrelay/api';
import type { ClusterFacts } from '@meshrelay/relay-core';
import type { ClusterConnection } from '../relay/connections.ts';

/** State of a cluster in addition to its registration and its connection. */
export interface ClusterHistory {
  /** Whether it was ever synced. */
  readonly synced: boolean;
  /** Whether it is synced and has no generated objects. */
  readonly empty?: boolean;
  /** Whether its agent may be connected to another replica, which is silent. */
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
