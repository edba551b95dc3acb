/** Routes as collections: of each destination for its own mesh, and for every mesh that it is federated to. */

import {
  type CapabilityTable,
  type Collection,
  key,
  type MeshFacts,
  type Read,
  type RouteMatchView,
} from '@meshrelay/plugin';
import { matchRequirements } from '../../fields/match.ts';
import type { Graph } from '../../graph/collection.ts';
import type { Hasher } from '../../input/canonical.ts';
import { unsupportedReason } from '../../plugin/capability.ts';
import type { LoadedPlugin } from '../../plugin/registry.ts';
import type { FleetState } from '../../store/fleet-state.ts';
import { rejections } from '../access/mod.ts';
import type { Federation } from '../federation/mod.ts';
import type { KnownDestination } from '../inventory/mod.ts';
import type { ResolveContext } from '../resolve-context.ts';
import { type Routes, type RouteTargetContext, routesFor } from '../routes/mod.ts';
import type { TrafficPlan } from '../traffic/mod.ts';
import { virtualRouteTarget } from '../virtual-destinations/mod.ts';
import type { Plans } from './plans.ts';
import { routingMesh } from './services-without-pods.ts';

export interface RouteSets {
  /** By destination key. */
  readonly local: Collection<Routes>;
  /** By `key(destination, consumer mesh)`. */
  readonly remote: Collection<Routes>;
}

/** Adds the routes to a graph. */
export function routeSets(
  graph: Graph,
  { settingsSpec }: Pick<FleetState, 'settingsSpec'>,
  resolveContext: ResolveContext,
  { traffic, ofTargets }: Plans,
  plugins: readonly LoadedPlugin[],
  hash: Hasher,
): RouteSets {
  const carriers = new Map(plugins.map(({ plugin }) => [plugin.name, supportedBy(plugin.capabilities)]));
  const rejectionOf = rejections(settingsSpec, plugins);
  const { meshes, destinations, federation, virtualDestinations } = resolveContext;
  const surroundings = (read: Read, consumer: MeshFacts, { clusterScopes }: TrafficPlan): RouteTargetContext => ({
    cluster: consumer.cluster,
    type: consumer.type,
    clusterScopes,
    destination: (destinationKey) => read.get(destinations.known, destinationKey),
    hostname: (destination) => hostnameFor(read, federation, destination, consumer),
    rejection: ({ mesh }) => (mesh === undefined ? undefined : rejectionOf(read, mesh, consumer)),
    behind: (id) => (read.get(virtualDestinations.plans, id)?.members ?? []).map(({ destination }) => destination),
    virtualDestination: (ref) => virtualRouteTarget(ref, consumer, read, virtualDestinations),
  });
  const routesOf = (read: Read, plan: TrafficPlan, destination: KnownDestination, consumer: MeshFacts): Routes =>
    routesFor(plan, destination, consumer, {
      supports: carriers.get(consumer.type) ?? EVERYTHING,
      routeTargets: () => surroundings(read, consumer, plan),
      hash,
    });
  const local = graph.inline('resolve/local-routes', traffic, (plan, read, destinationKey): Routes | undefined => {
    const destination = read.get(destinations.known, destinationKey);
    if (destination === undefined) return undefined;
    const mesh = destination.mesh ?? routingMesh(read.get(ofTargets, destinationKey));
    return mesh === undefined ? undefined : routesOf(read, plan, destination, mesh);
  });
  const remote = graph.inline('resolve/remote-routes', federation.federated, (one, read): Routes | undefined => {
    const plan = read.get(traffic, one.destination);
    const destination = read.get(destinations.known, one.destination);
    const consumer = read.get(meshes, one.consumer);
    if (plan === undefined || destination === undefined || consumer === undefined) return undefined;
    return routesOf(read, plan, destination, consumer);
  });
  return {
    local,
    remote,
  };
}

const EVERYTHING = (): boolean => true;

/** Which matches a mesh supports, by its capability table. */
function supportedBy(capabilities: CapabilityTable): (match: RouteMatchView) => boolean {
  return (match) => matchRequirements(match).every((field) => unsupportedReason(capabilities, field) === undefined);
}

/**
 * The local name within the cluster, the federated name from another; undefined if the destination is not federated to
 * the consumer.
 */
function hostnameFor(
  read: Read,
  federation: Federation,
  destination: KnownDestination,
  consumer: MeshFacts,
): string | undefined {
  if (destination.cluster === consumer.cluster) return destination.hostname;
  return read.get(federation.federated, key(destination.key, consumer.key))?.hostname;
}
