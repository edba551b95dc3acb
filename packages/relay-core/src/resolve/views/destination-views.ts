/** Destinations as the proxies of their own meshes see them. */

import {
  type Collection,
  type ConnectionView,
  type DestinationView,
  type Key,
  key,
  type Read,
} from '@meshrelay/plugin';
import { virtualDestinationSettings } from '../../fields/virtual-destination/mod.ts';
import type { Graph } from '../../graph/collection.ts';
import { type FleetState, SETTINGS_KEY } from '../../store/fleet-state.ts';
import { NO_GATEWAYS, placesOf } from '../gateways/mod.ts';
import { destinationFacts, hasTcpPort, servicesOfAccounts, sharedAccounts } from '../inventory/mod.ts';
import { EMPTY_PLAN, type Plans, type RouteSets, routingMesh, subsetsForCluster } from '../plans/mod.ts';
import type { ResolveContext } from '../resolve-context.ts';
import { connectionView, visibleFields, withoutPolicies } from '../traffic/mod.ts';
import type { InboundOf } from './inbound-views.ts';
import { virtualIpFor } from './virtual-ip-for.ts';

const NOTHING: readonly never[] = [];
const NO_SETTINGS: ConnectionView = {};

/** By destination key; only if a policy configures it, or if all proxies of the mesh are configured completely. */
export function destinationViews(
  graph: Graph,
  { tlsModeByDefault, ledgerVips }: Pick<FleetState, 'tlsModeByDefault' | 'ledgerVips'>,
  { destinations, federation, gateways, virtualDestinations, configured }: ResolveContext,
  plans: Plans,
  routes: RouteSets,
  inboundOf: InboundOf,
): Collection<DestinationView> {
  const accounts = servicesOfAccounts(graph, destinations.known);
  return graph.inline(
    'resolve/destination-views',
    destinations.known,
    (destination, read): DestinationView | undefined => {
      const { key: id, cluster } = destination;
      const mesh = destination.mesh ?? routingMesh(read.get(plans.ofTargets, id));
      if (mesh === undefined) return undefined;
      const exported = read.get(federation.exported, id);
      const address = exported === undefined ? undefined : read.get(ledgerVips, key(exported.hostname))?.address;
      const local = read.get(routes.local, id);
      const ingress =
        exported === undefined ? NO_GATEWAYS : placesOf(read.get(gateways, mesh.key)?.gateways ?? NOTHING);
      const { connection, clusterScopes } = read.get(plans.traffic, id) ?? EMPTY_PLAN;
      const rules = read.get(plans.access, id)?.rules ?? NOTHING;
      const isolation = read.get(plans.isolation, id)?.rules ?? NOTHING;
      const access = isolation.length === 0 ? rules : [...rules, ...isolation];
      const virtual = virtualDestinationOf(read, virtualDestinations, id, mesh.key);
      const member = configured.of(read, mesh);
      const settings =
        destination.mesh !== undefined && hasTcpPort(destination.ports)
          ? connectionView(
              withoutPolicies(visibleFields(connection, cluster, clusterScopes), local?.notApplied ?? NOTHING),
              read.get(tlsModeByDefault, SETTINGS_KEY),
            )
          : NO_SETTINGS;
      const inbound =
        settings.mtls === undefined && exported === undefined ? undefined : inboundOf(read, destination, mesh);
      const view: DestinationView = {
        destination: destinationFacts(destination, mesh),
        routes: local?.routes ?? NOTHING,
        subsets: subsetsForCluster(read.get(plans.subsets, id), cluster),
        connection: settings,
        access,
        otherTrustDomains: access.length === 0 ? NOTHING : (read.get(plans.homes, mesh.key)?.otherDomains ?? NOTHING),
        sharedAccounts: access.length === 0 ? NOTHING : sharedAccounts(read, accounts, destination),
        ...(exported === undefined ||
        address === undefined ||
        (ingress.gatewayNamespaces.length === 0 && !exported.direct)
          ? {}
          : {
              exported: {
                hostname: exported.hostname,
                virtualMesh: exported.ref,
                address: virtualIpFor(mesh, address),
                ...(exported.viaGateways ? ingress : NO_GATEWAYS),
              },
            }),
        ...(inbound === undefined ? {} : { inbound }),
        ...(virtual === undefined ? {} : { virtualDestination: virtual }),
        ...(member === undefined ? {} : { virtualMesh: member.virtualMesh }),
      };
      return saysAnything(view) ? view : undefined;
    },
  );
}

/**
 * The virtual destination that has the Service's own name in its mesh, once it has its address. Before that it has no
 * view that could replace this one.
 */
function virtualDestinationOf(
  read: Read,
  { addresses, consumers, plans }: ResolveContext['virtualDestinations'],
  service: Key,
  mesh: Key,
): DestinationView['virtualDestination'] {
  if (!read.any(consumers.bySameName, service)) return undefined;
  const named = read.by(consumers.bySameName, service).find(([, { consumer }]) => consumer === mesh);
  const ready = named !== undefined && read.has(addresses, named[1].virtualDestination);
  const plan = ready ? read.get(plans, named[1].virtualDestination) : undefined;
  return plan === undefined
    ? undefined
    : {
        ref: plan.ref,
        failover: virtualDestinationSettings(plan.spec).failover.kind,
        port: plan.spec.port.number,
      };
}

function saysAnything({ routes, subsets, connection, access, exported, virtualMesh }: DestinationView): boolean {
  return (
    routes.length > 0 ||
    subsets.length > 0 ||
    Object.keys(connection).length > 0 ||
    access.length > 0 ||
    exported !== undefined ||
    virtualMesh !== undefined
  );
}
