/** Whether a server has every agent, and knows every cluster in full. */
import type { ClusterItem } from '@meshrelay/local-fleet';
import type { FaultFleet } from '../fleet/fault-fleet.ts';

export async function isConnected(fleet: FaultFleet): Promise<true | undefined> {
  const clusters = await fleet.api().list<ClusterItem>('clusters');
  const known = clusters.filter(({ connected, complete }) => connected && complete);
  return known.length >= fleet.workloads.length || undefined;
}
