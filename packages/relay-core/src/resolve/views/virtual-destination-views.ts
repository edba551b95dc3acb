/** Virtual destinations as the proxies of each mesh reach them. */

import {
  type Collection,
  type GatewayRouteView,
  type Key,
  key,
  type MeshFacts,
  type Read,
  type VirtualDestinationView,
  type VirtualEndpointGroup,
} from '@meshrelay/plugin';
import { virtualDestinationSettings } from '../../fields/virtual-destination/mod.ts';
import { keepaliveOf } from '../../fields/virtual-mesh/federation.ts';
import type { Graph } from '../../graph/collection.ts';
import type { FleetState } from '../../store/fleet-state.ts';
import { placesOf } from '../gateways/mod.ts';
import { destinationFacts } from '../inventory/mod.ts';
import { EMPTY_PLAN, type Plans, type RouteSets, subsetsForCluster } from '../plans/mod.ts';
import type { ResolveContext } from '../resolve-context.ts';
import { connectionView, visibleFields, withoutPolicies } from '../traffic/mod.ts';
import {
  endpointsOf,
  isReachable,
  type VirtualConsumer,
  type VirtualMember,
  type VirtualPlan,
} from '../virtual-destinations/mod.ts';
import type { InboundOf } from './inbound-views.ts';
import { gatewayIpFor, virtualIpFor } from './virtual-ip-for.ts';

/** Under the keys of the consumers; only if the name has its address and some backend is reachable. */
export function virtualDestinationViews(
  graph: Graph,
  { ledgerVips }: Pick<FleetState, 'ledgerVips'>,
  resolveContext: ResolveContext,
  plans: Plans,
  routes: RouteSets,
  inboundOf: InboundOf,
): Collection<VirtualDestinationView> {
  const { virtualDestinations, virtualMeshes, meshes } = resolveContext;
  return graph.inline(
    'resolve/virtual-destination-views',
    virtualDestinations.consumers.all,
    (one, read): VirtualDestinationView | undefined => {
      const plan = read.get(virtualDestinations.plans, one.virtualDestination);
      const consumer = read.get(meshes, one.consumer);
      const address = read.get(ledgerVips, key(one.hostname))?.address;
      if (one.rejection !== undefined || plan === undefined || consumer === undefined || address === undefined)
        return undefined;
      const groups = plan.members.flatMap(
        (member) => groupOf(member, one, consumer, read, resolveContext, inboundOf) ?? [],
      );
      if (groups.length === 0) return undefined;
      const { virtualMesh } = plan.scope;
      const federation =
        virtualMesh === undefined ? undefined : read.get(virtualMeshes.all, virtualMesh)?.object.spec.federation;
      const gatewayRoute = gatewayHostnameThrough(
        plan,
        consumer,
        gatewayIpFor(consumer, address),
        read,
        resolveContext,
      );
      return {
        virtualDestination: plan.ref,
        consumer,
        hostname: one.hostname,
        address: virtualIpFor(consumer, address),
        ...virtualDestinationSettings(plan.spec),
        groups,
        identities: identitiesOf(plan.members, read, resolveContext),
        gatewayHostname: plan.gatewayHostname,
        ...keepaliveOf(federation),
        ...(gatewayRoute === undefined ? {} : { gatewayRoute }),
        ...(one.sameName === undefined
          ? {}
          : { sameHostname: ownConnection(one.sameName, consumer, read, plans, routes) }),
      };
    },
  );
}

/** The backends in one cluster; undefined if the consumer currently has no path to them. */
function groupOf(
  member: VirtualMember,
  { virtualDestination }: VirtualConsumer,
  consumer: MeshFacts,
  read: Read,
  resolveContext: ResolveContext,
  inboundOf: InboundOf,
): VirtualEndpointGroup | undefined {
  const { destination: id, cluster, priority, port } = member;
  const destination = read.get(resolveContext.destinations.known, id);
  if (destination?.mesh === undefined) return undefined;
  if (!isReachable(member, virtualDestination, consumer, read, resolveContext)) return undefined;
  const facts = destinationFacts(destination, destination.mesh);
  if (cluster === consumer.cluster) {
    const inbound = inboundOf(read, destination, destination.mesh);
    const local = { destination: facts, port, priority, local: true, endpoints: [] };
    return inbound === undefined ? local : { ...local, inbound };
  }
  return {
    destination: facts,
    port,
    priority,
    local: false,
    endpoints: endpointsOf(member, consumer, read, resolveContext),
  };
}

function gatewayHostnameThrough(
  plan: VirtualPlan,
  consumer: MeshFacts,
  address: string,
  read: Read,
  { gateways }: ResolveContext,
): GatewayRouteView | undefined {
  if (!plan.members.some(({ home, gatewayRoute }) => gatewayRoute && home === consumer.key)) return undefined;
  const places = placesOf(read.get(gateways, consumer.key)?.gateways ?? []);
  return places.gatewayNamespaces.length === 0 ? undefined : { hostname: plan.gatewayHostname, address, ...places };
}

function identitiesOf(members: readonly VirtualMember[], read: Read, { destinations }: ResolveContext): string[] {
  const identities = members.flatMap(({ destination: id }) => {
    const { mesh, namespace, serviceAccounts = [] } = read.get(destinations.known, id) ?? {};
    return serviceAccounts.map((account) => `${mesh?.trustDomain}/ns/${namespace}/sa/${account}`);
  });
  return [...new Set(identities)].sort();
}

function ownConnection(
  service: Key,
  { cluster }: MeshFacts,
  read: Read,
  { traffic, subsets }: Plans,
  { local }: RouteSets,
): NonNullable<VirtualDestinationView['sameHostname']> {
  const { connection, clusterScopes } = read.get(traffic, service) ?? EMPTY_PLAN;
  const notApplied = read.get(local, service)?.notApplied ?? [];
  return {
    connection: connectionView(
      withoutPolicies(visibleFields(connection, cluster, clusterScopes), notApplied),
      undefined,
    ),
    subsets: subsetsForCluster(read.get(subsets, service), cluster),
  };
}
