/** The resolve stage: from the world to views. All semantics that do not depend on a mesh's own objects end here. */
import type { Report } from '@meshrelay/api';
import type { Collection, Graph } from '../graph/collection.ts';
import type { LoadedPlugin } from '../plugin/registry.ts';
import type {
  DestinationView,
  EndpointsView,
  FederatedDestinationView,
  LocalEndpointsView,
  MeshView,
  VirtualDestinationView,
  WorkloadView,
} from '../plugin/views/mod.ts';
import type { World } from '../store/world.ts';
import { authorityProblems } from './authority/problems.ts';
import { destinationVerdicts } from './destination-verdicts.ts';
import { destinationViews } from './destination-views.ts';
import { workloadNotes } from './extensions/notes.ts';
import { endpointsViews, federatedDestinationViews } from './federated-destination-views.ts';
import { federatingTypes } from './federating.ts';
import { inboundViews } from './inbound-views.ts';
import { openGatewayVerdicts } from './ingress-gateways.ts';
import { type Joined, joinWorld, type ResolveOptions } from './joined.ts';
import { localEndpointsViews } from './local-endpoints-views.ts';
import { memberNotes } from './member-notes.ts';
import { meshViews } from './mesh-views.ts';
import { planPolicies } from './plans.ts';
import { refusals } from './refused-callers.ts';
import { routeSets } from './route-sets.ts';
import { remoteRouteVerdicts } from './route-verdicts.ts';
import { settingsNotes } from './settings-notes.ts';
import type { Verdict } from './verdict.ts';
import { virtualNotes } from './virtual-destinations/notes.ts';
import { unknownPlaces } from './virtual-destinations/unknown-places.ts';
import { virtualDestinationViews } from './virtual-destinations/views.ts';
import { workloadViews } from './workload-views.ts';

export interface Resolved extends Joined {
  /** By destination key; only where there is something to say. */
  readonly destinationViews: Collection<DestinationView>;
  /** By `key(destination, consumer mesh)`. */
  readonly federatedDestinationViews: Collection<FederatedDestinationView>;
  /** Under the keys of `federatedDestinationViews`. */
  readonly endpointsViews: Collection<EndpointsView>;
  /** By mesh key; members of virtual meshes only. */
  readonly meshViews: Collection<MeshView>;
  /** By `key(virtual destination, consumer mesh)`. */
  readonly virtualDestinationViews: Collection<VirtualDestinationView>;
  /** By destination key; of meshes that are described wholly. */
  readonly localEndpointsViews: Collection<LocalEndpointsView>;
  /** By workload key; of meshes that are described wholly. */
  readonly workloadViews: Collection<WorkloadView>;
  readonly verdicts: readonly Collection<Verdict>[];
  /** Reports on the Settings object, by mesh key. */
  readonly settingsNotes: Collection<readonly Report[]>;
  /** What workspaces and their settings are told about themselves, under the policies' keys. */
  readonly authorityProblems: Collection<readonly Report[]>;
  /** What virtual destinations are told of where their directives lead, under the policies' keys. */
  readonly unknownPlaces: Collection<readonly Report[]>;
}

/** Lays out the stage in a graph: join, plan for everybody, route for each consumer, view. */
export function resolve(
  graph: Graph,
  world: World,
  plugins: readonly LoadedPlugin[],
  options: ResolveOptions,
): Resolved {
  const { hash } = options;
  const joined = joinWorld(graph, world, plugins, options);
  const plans = planPolicies(graph, joined, plugins, hash);
  const federates = federatingTypes(plugins);
  const routes = routeSets(graph, world, joined, plans, plugins, hash);
  const inboundOf = inboundViews(graph, world.present, joined, plugins);
  return {
    ...joined,
    destinationViews: destinationViews(graph, world, joined, plans, routes, inboundOf),
    federatedDestinationViews: federatedDestinationViews(graph, world, joined, plans, routes, inboundOf),
    endpointsViews: endpointsViews(graph, world, joined),
    meshViews: meshViews(graph, world, joined, plans.access, plugins),
    authorityProblems: authorityProblems(graph, world, joined.policies.checked, joined.authorities),
    settingsNotes: settingsNotes(graph, world, joined, plugins),
    unknownPlaces: unknownPlaces(graph, world, joined.virtualDestinations.plans),
    virtualDestinationViews: virtualDestinationViews(graph, world, joined, plans, routes, inboundOf),
    localEndpointsViews: localEndpointsViews(graph, world, joined, plans, routes),
    workloadViews: workloadViews(graph, world, joined, plans, routes, federates),
    verdicts: [
      destinationVerdicts(graph, joined, plans, routes, federates),
      joined.federation.refusals,
      memberNotes(graph, joined, federates),
      openGatewayVerdicts(graph, joined.policies, joined.destinations, joined.ingress),
      remoteRouteVerdicts(graph, joined, plans, routes, federates),
      ...virtualNotes(graph, joined, federates, refusals(world.settingsSpec, plugins)),
      workloadNotes(graph, joined.extensions, joined),
    ],
  };
}
