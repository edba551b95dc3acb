/**
 * Destinations as the proxies of other meshes reach them: their configuration in one view, their endpoints in another.
 */

import { type Collection, type EndpointsView, type FederatedDestinationView, key } from '@meshrelay/plugin';
import { keepaliveOf } from '../../fields/virtual-mesh/federation.ts';
import type { Graph } from '../../graph/collection.ts';
import type { FleetState } from '../../store/fleet-state.ts';
import { destinationFacts } from '../inventory/mod.ts';
import { EMPTY_PLAN, type Plans, type RouteSets, subsetsForCluster } from '../plans/mod.ts';
import type { ResolveContext } from '../resolve-context.ts';
import { connectionView, visibleFields, withoutPolicies } from '../traffic/mod.ts';
import type { InboundOf } from './inbound-views.ts';
import { virtualIpFor } from './virtual-ip-for.ts';

/** By `key(destination, consumer mesh)`; only if there is a path and the name has its address. */
export function federatedDestinationViews(
  graph: Graph,
  { ledgerVips }: Pick<FleetState, 'ledgerVips'>,
  { meshes, destinations, federation, endpoints, virtualMeshes }: ResolveContext,
  plans: Plans,
  routes: RouteSets,
  inboundOf: InboundOf,
): Collection<FederatedDestinationView> {
  return graph.inline(
    'resolve/federated-destination-views',
    federation.federated,
    (one, read, reachKey): FederatedDestinationView | undefined => {
      const destination = read.get(destinations.known, one.destination);
      const consumer = read.get(meshes, one.consumer);
      const endpointMultiplicity = endpoints.endpointMultiplicity(read, one);
      if (destination?.mesh === undefined || consumer === undefined || endpointMultiplicity === undefined)
        return undefined;
      if (!read.has(ledgerVips, key(one.hostname))) return undefined;
      const { connection, clusterScopes } = read.get(plans.traffic, one.destination) ?? EMPTY_PLAN;
      const remote = read.get(routes.remote, reachKey);
      const virtualMesh = read.get(virtualMeshes.all, one.virtualMesh)?.object;
      const settings = connectionView(
        withoutPolicies(visibleFields(connection, consumer.cluster, clusterScopes), remote?.notApplied ?? []),
        undefined,
      );
      const inbound =
        one.direct && settings.mtls !== undefined ? inboundOf(read, destination, destination.mesh) : undefined;
      return {
        destination: destinationFacts(destination, destination.mesh),
        consumer,
        hostname: one.hostname,
        direct: one.direct,
        endpointMultiplicity,
        routes: remote?.routes ?? [],
        subsets: subsetsForCluster(read.get(plans.subsets, one.destination), consumer.cluster),
        connection: settings,
        ...keepaliveOf(virtualMesh?.spec.federation),
        virtualMesh: one.ref,
        ...(inbound === undefined ? {} : { inbound }),
      };
    },
  );
}

/** Under the keys of {@link federatedDestinationViews}. */
export function endpointsViews(
  graph: Graph,
  { ledgerVips }: Pick<FleetState, 'ledgerVips'>,
  { meshes, destinations, federation, endpoints }: ResolveContext,
): Collection<EndpointsView> {
  return graph.inline('resolve/endpoints-views', federation.federated, (one, read): EndpointsView | undefined => {
    const destination = read.get(destinations.known, one.destination);
    const consumer = read.get(meshes, one.consumer);
    const address = read.get(ledgerVips, key(one.hostname))?.address;
    const found = endpoints.of(read, one);
    if (destination?.mesh === undefined || consumer === undefined || address === undefined || found.length === 0)
      return undefined;
    return {
      destination: destinationFacts(destination, destination.mesh),
      consumer,
      hostname: one.hostname,
      direct: one.direct,
      address: virtualIpFor(consumer, address),
      endpoints: found,
      virtualMesh: one.ref,
    };
  });
}
