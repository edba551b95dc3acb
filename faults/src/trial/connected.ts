/**
 * Whether every agent is connected to a server, by that server's own state, and every server has synced every cluster.
 * A dead server's announcements about its agents remain valid for a while.
 */
import type { ClusterItem } from '@meshrelay/local-fleet';
import type { FaultFleet } from '../fleet/fault-fleet.ts';

export async function isConnected(fleet: FaultFleet): Promise<true | undefined> {
  const lists = await Promise.all(fleet.apis().map((api) => api.list<ClusterItem>('clusters')));
  const isKnown = (cluster: string): boolean => {
    const items = lists.map((list) => list.find(({ name }) => name === cluster));
    return (
      items.some((item) => item?.connected === true && item.replica === undefined) &&
      items.every((item) => item?.complete === true)
    );
  };
  return fleet.workloads.every(({ plan }) => isKnown(plan.name)) || undefined;
}
