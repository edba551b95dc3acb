/** Destinations as the proxies of other meshes reach them. */
import type { Collection, Graph } from '../graph/collection.ts';
import { key } from '../graph/key.ts';
import type { ReachView } from '../plugin/views.ts';
import type { World } from '../store/world.ts';
import { connectionView, keepaliveView } from './action-views.ts';
import { visibleFields, withoutPolicies } from './consumer-plan.ts';
import type { Joined } from './joined.ts';
import { EMPTY_PLAN, type Plans, visibleSubsets } from './plans.ts';
import type { RouteSets } from './route-sets.ts';

/** By `key(destination, consumer mesh)`; only where there is a way in and the name has its address. */
export function reachViews(
  graph: Graph,
  { ledgerVips }: Pick<World, 'ledgerVips'>,
  { meshes, destinations, federation, gateways, virtualMeshes }: Joined,
  plans: Plans,
  routes: RouteSets,
): Collection<ReachView> {
  return graph.derive('resolve/reach-views', federation.federated, (one, read, reachKey): ReachView | undefined => {
    const destination = read.get(destinations.known, one.destination);
    const consumer = read.get(meshes, one.consumer);
    const address = read.get(ledgerVips, key(one.hostname))?.address;
    if (destination?.mesh === undefined || consumer === undefined || address === undefined) return undefined;
    const endpoints = (read.get(gateways, one.home)?.gateways ?? []).flatMap((gateway) => gateway.endpoints);
    if (endpoints.length === 0) return undefined;
    const { connection } = read.get(plans.traffic, one.destination) ?? EMPTY_PLAN;
    const remote = read.get(routes.remote, reachKey);
    const keepalive = read.get(virtualMeshes.all, one.virtualMesh)?.object.spec.federation?.tcpKeepalive;
    return {
      destination: { ...destination, mesh: destination.mesh },
      consumer,
      hostname: one.hostname,
      address,
      endpoints,
      routes: remote?.routes ?? [],
      subsets: visibleSubsets(read.get(plans.subsets, one.destination), consumer.cluster),
      connection: connectionView(
        withoutPolicies(visibleFields(connection, consumer.cluster), remote?.withheld ?? []),
        undefined,
      ),
      ...(keepalive === undefined ? {} : { tcpKeepalive: keepaliveView(keepalive) }),
      virtualMesh: one.ref,
    };
  });
}
