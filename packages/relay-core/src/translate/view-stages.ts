/**
 * How each kind of view becomes objects: core strips what its mesh does not support, then the mesh's plugin translates
 * it.
 */

import type {
  Collection,
  DestinationView,
  EndpointsView,
  FederatedDestinationView,
  LocalEndpointsView,
  MeshExtensionsView,
  MeshView,
  Output,
  VirtualDestinationView,
  WorkloadExtensionsView,
  WorkloadView,
} from '@meshrelay/plugin';
import type { LoadedPlugin } from '../plugin/registry.ts';
import type { Diagnostic, Resolved } from '../resolve/mod.ts';
import { record, type Translation } from './recorder.ts';
import {
  stripDestination,
  stripEndpoints,
  stripMesh,
  stripMeshExtensions,
  stripReach,
  stripVirtualDestination,
  stripWorkload,
  stripWorkloadExtensions,
  type WithoutUnsupported,
} from './strip.ts';

/** One kind of view on its way through a plugin. */
export interface ViewStage<V> {
  readonly name: string;
  /** The mesh that the objects are generated for. */
  meshOf(view: V): { readonly type: string; readonly cluster: string };
  /** The target of the view's source policies. */
  targetOf(view: V): Diagnostic['target'];
  /** The view without what the mesh does not support; its view is undefined if nothing remains. */
  strip(view: V, loaded: LoadedPlugin): WithoutUnsupported<V | undefined>;
  translate(loaded: LoadedPlugin, view: V, out: Output): void;
}

/** A translation with its plugin and its target. */
export type PlacedTranslation = Translation & { readonly plugin: string; readonly target: Diagnostic['target'] };

/** Strips a view and runs it through the plugin of its mesh. */
export function runStage<V>(stage: ViewStage<V>, view: V, loaded: LoadedPlugin): PlacedTranslation {
  const { view: supported, rejected } = stage.strip(view, loaded);
  const translation = record(loaded, stage.meshOf(view).cluster, rejected, (out) => {
    if (supported !== undefined) stage.translate(loaded, supported, out);
  });
  return { ...translation, plugin: loaded.plugin.name, target: stage.targetOf(view) };
}

/** A kind of view with all views of that kind. No other code needs to know the kind. */
export interface StagedViews {
  readonly stage: ViewStage<unknown>;
  readonly views: Collection<unknown>;
}

/**
 * All kinds of view. If several generate the same object, or request the same field of a user-owned object, the first
 * kind in this list has precedence.
 */
export function stagedViews(
  resolved: Pick<
    Resolved,
    | 'destinationViews'
    | 'federatedDestinationViews'
    | 'endpointsViews'
    | 'virtualDestinationViews'
    | 'meshViews'
    | 'localEndpointsViews'
    | 'workloadViews'
    | 'extensions'
  >,
): readonly StagedViews[] {
  return [
    staged(resolved.destinationViews, DESTINATION_STAGE),
    staged(resolved.endpointsViews, ENDPOINTS_STAGE),
    staged(resolved.localEndpointsViews, LOCAL_ENDPOINTS_STAGE),
    staged(resolved.extensions.meshViews, MESH_EXTENSIONS_STAGE),
    staged(resolved.meshViews, MESH_STAGE),
    staged(resolved.federatedDestinationViews, FEDERATED_DESTINATION_STAGE),
    staged(resolved.virtualDestinationViews, VIRTUAL_DESTINATION_STAGE),
    staged(resolved.extensions.workloadViews, WORKLOAD_EXTENSIONS_STAGE),
    staged(resolved.workloadViews, WORKLOAD_STAGE),
  ];
}

function staged<V>(views: Collection<V>, stage: ViewStage<V>): StagedViews {
  return { views, stage: stage as ViewStage<unknown> };
}

export const DESTINATION_STAGE: ViewStage<DestinationView> = {
  name: 'translate/destinations',
  meshOf: ({ destination }) => destination.mesh,
  targetOf: aboutDestination,
  strip: (view, { plugin }) => stripDestination(view, plugin),
  translate: ({ plugin, settings }, view, out) => plugin.translateDestination?.(view, out, settings),
};

export const FEDERATED_DESTINATION_STAGE: ViewStage<FederatedDestinationView> = {
  name: 'translate/federated-destinations',
  meshOf: ({ consumer }) => consumer,
  targetOf: aboutDestination,
  strip: (view, { plugin }) => stripReach(view, plugin),
  translate: ({ plugin, settings }, view, out) => plugin.translateFederatedDestination?.(view, out, settings),
};

export const ENDPOINTS_STAGE: ViewStage<EndpointsView> = {
  name: 'translate/endpoints',
  meshOf: ({ consumer }) => consumer,
  targetOf: aboutDestination,
  strip: (view, { plugin }) => stripEndpoints(view, plugin),
  translate: ({ plugin, settings }, view, out) => plugin.translateEndpoints?.(view, out, settings),
};

export const VIRTUAL_DESTINATION_STAGE: ViewStage<VirtualDestinationView> = {
  name: 'translate/virtual-destinations',
  meshOf: ({ consumer }) => consumer,
  targetOf: aboutVirtualDestination,
  strip: (view, { plugin }) => stripVirtualDestination(view, plugin),
  translate: ({ plugin, settings }, view, out) => plugin.translateVirtualDestination?.(view, out, settings),
};

export const MESH_STAGE: ViewStage<MeshView> = {
  name: 'translate/meshes',
  meshOf: ({ mesh }) => mesh,
  targetOf: ({ mesh }) => ({ kind: 'Mesh', key: mesh.key }),
  strip: (view, { plugin }) => stripMesh(view, plugin),
  translate: ({ plugin, settings }, view, out) => plugin.translateMesh?.(view, out, settings),
};

const LOCAL_ENDPOINTS_STAGE: ViewStage<LocalEndpointsView> = {
  name: 'translate/local-endpoints',
  meshOf: ({ destination }) => destination.mesh,
  targetOf: aboutDestination,
  strip: (view) => ({ view, rejected: [] }),
  translate: ({ plugin, settings }, view, out) => plugin.translateLocalEndpoints?.(view, out, settings),
};

const WORKLOAD_STAGE: ViewStage<WorkloadView> = {
  name: 'translate/workloads',
  meshOf: ({ mesh }) => mesh,
  targetOf: ({ mesh, services: [first] }) =>
    first === undefined ? { kind: 'Mesh', key: mesh.key } : { kind: 'Destination', key: first.destination.key },
  strip: (view, { plugin }) => stripWorkload(view, plugin),
  translate: ({ plugin, settings }, view, out) => plugin.translateWorkload?.(view, out, settings),
};

export const WORKLOAD_EXTENSIONS_STAGE: ViewStage<WorkloadExtensionsView> = {
  name: 'translate/workload-extensions',
  meshOf: ({ workload }) => workload.mesh,
  targetOf: ({ workload }) => ({ kind: 'Workload', key: workload.key }),
  strip: (view, { plugin }) => stripWorkloadExtensions(view, plugin),
  translate: ({ plugin, settings }, view, out) => plugin.translateWorkloadExtensions?.(view, out, settings),
};

const MESH_EXTENSIONS_STAGE: ViewStage<MeshExtensionsView> = {
  name: 'translate/mesh-extensions',
  meshOf: ({ mesh }) => mesh,
  targetOf: ({ mesh }) => ({ kind: 'Mesh', key: mesh.key }),
  strip: (view, { plugin }) => stripMeshExtensions(view, plugin),
  translate: ({ plugin, settings }, view, out) => plugin.translateMeshExtensions?.(view, out, settings),
};

/** If the name is a Service's own, policies for that Service contribute to it. */
function aboutVirtualDestination({ consumer, groups, sameHostname }: VirtualDestinationView): Diagnostic['target'] {
  const local = sameHostname === undefined ? undefined : groups.find((group) => group.local);
  return local === undefined
    ? { kind: 'Mesh', key: consumer.key }
    : { kind: 'Destination', key: local.destination.key };
}

function aboutDestination({
  destination,
}: DestinationView | FederatedDestinationView | EndpointsView | LocalEndpointsView): Diagnostic['target'] {
  return { kind: 'Destination', key: destination.key };
}
