/**
 * The resolve stage: from the fleet state to views. All semantics that do not depend on a mesh's own objects are
 * implemented here.
 */
import type { Report } from '@meshrelay/api';
import type {
  Collection,
  DestinationView,
  EndpointsView,
  FederatedDestinationView,
  LocalEndpointsView,
  MeshView,
  VirtualDestinationView,
  WorkloadView,
} from '@meshrelay/plugin';
import type { Graph } from '../graph/collection.ts';
import type { LoadedPlugin } from '../plugin/registry.ts';
import type { FleetState } from '../store/fleet-state.ts';
import { rejections } from './access/mod.ts';
import type { Diagnostic } from './diagnostic.ts';
import { openGatewayDiagnostics } from './gateways/mod.ts';
import { planPolicies, routeSets } from './plans/mod.ts';
import {
  authorityProblems,
  destinationDiagnostics,
  memberNotes,
  remoteRouteDiagnostics,
  settingsNotes,
  unknownPlaces,
  virtualNotes,
  workloadNotes,
} from './reports/mod.ts';
import { bindFleet, type ResolveContext, type ResolveOptions } from './resolve-context.ts';
import {
  destinationViews,
  endpointsViews,
  federatedDestinationViews,
  inboundViews,
  localEndpointsViews,
  meshViews,
  virtualDestinationViews,
  workloadViews,
} from './views/mod.ts';
import { federatingTypes } from './virtual-meshes/mod.ts';

export interface Resolved extends ResolveContext {
  /** By destination key; only if a policy configures it. */
  readonly destinationViews: Collection<DestinationView>;
  /** By `key(destination, consumer mesh)`. */
  readonly federatedDestinationViews: Collection<FederatedDestinationView>;
  /** Under the keys of `federatedDestinationViews`. */
  readonly endpointsViews: Collection<EndpointsView>;
  /** By mesh key; members of virtual meshes only. */
  readonly meshViews: Collection<MeshView>;
  /** By `key(virtual destination, consumer mesh)`. */
  readonly virtualDestinationViews: Collection<VirtualDestinationView>;
  /** By destination key; only for meshes whose proxies are configured completely. */
  readonly localEndpointsViews: Collection<LocalEndpointsView>;
  /** By workload key; only for meshes whose proxies are configured completely. */
  readonly workloadViews: Collection<WorkloadView>;
  readonly diagnostics: readonly Collection<Diagnostic>[];
  /** Reports on the Settings object, by mesh key. */
  readonly settingsNotes: Collection<readonly Report[]>;
  /** Reports to Workspaces and WorkspaceSettings, under the policies' keys. */
  readonly authorityProblems: Collection<readonly Report[]>;
  /** Reports to virtual destinations about localities in their directives, under the policies' keys. */
  readonly unknownPlaces: Collection<readonly Report[]>;
}

/** Adds the stage to a graph: join, plan for all callers, route for each consumer, build views. */
export function resolve(
  graph: Graph,
  fleetState: FleetState,
  plugins: readonly LoadedPlugin[],
  options: ResolveOptions,
): Resolved {
  const { hash } = options;
  const resolveContext = bindFleet(graph, fleetState, plugins, options);
  const plans = planPolicies(graph, resolveContext, plugins, hash);
  const federates = federatingTypes(plugins);
  const routes = routeSets(graph, fleetState, resolveContext, plans, plugins, hash);
  const inboundOf = inboundViews(graph, fleetState.present, resolveContext, plugins);
  const views = destinationViews(graph, fleetState, resolveContext, plans, routes, inboundOf);
  return {
    ...resolveContext,
    destinationViews: views,
    federatedDestinationViews: federatedDestinationViews(graph, fleetState, resolveContext, plans, routes, inboundOf),
    endpointsViews: endpointsViews(graph, fleetState, resolveContext),
    meshViews: meshViews(graph, fleetState, resolveContext, plans.access, plugins),
    authorityProblems: authorityProblems(
      graph,
      fleetState,
      resolveContext.policies.checked,
      resolveContext.authorities,
    ),
    settingsNotes: settingsNotes(graph, fleetState, resolveContext, views, plugins),
    unknownPlaces: unknownPlaces(graph, fleetState, resolveContext.virtualDestinations.plans),
    virtualDestinationViews: virtualDestinationViews(graph, fleetState, resolveContext, plans, routes, inboundOf),
    localEndpointsViews: localEndpointsViews(graph, fleetState, resolveContext, plans, routes),
    workloadViews: workloadViews(graph, fleetState, resolveContext, plans, routes, federates),
    diagnostics: [
      destinationDiagnostics(graph, resolveContext, plans, routes, federates),
      resolveContext.federation.rejections,
      memberNotes(graph, resolveContext, federates),
      openGatewayDiagnostics(graph, resolveContext.policies, resolveContext.destinations, resolveContext.ingress),
      remoteRouteDiagnostics(graph, resolveContext, plans, routes, federates),
      ...virtualNotes(graph, resolveContext, federates, rejections(fleetState.settingsSpec, plugins)),
      workloadNotes(graph, resolveContext.extensions, resolveContext),
    ],
  };
}
