/**
 * Services without pods of their own, whose policies send requests to Services of a mesh: the root Services of traffic
 * shifts.
 */
import type { Collection, Key, MeshFacts, Read } from '@meshrelay/plugin';
import type { Graph } from '../../graph/collection.ts';
import type { LoadedPlugin } from '../../plugin/registry.ts';
import { clusterObjectKey } from '../../store/fleet-state.ts';
import { hasNoPods } from '../inventory/mod.ts';
import type { ResolveContext } from '../resolve-context.ts';
import type { TrafficPlan } from '../traffic/mod.ts';

/** The mesh that the requests of such a Service go to. */
export interface MeshOfTargets {
  readonly mesh: MeshFacts;
  /** Why that mesh cannot route requests to a Service without pods; undefined if it can. */
  readonly unsupported?: string;
}

/** The mesh, if it can route them. */
export function routingMesh(found: MeshOfTargets | undefined): MeshFacts | undefined {
  return found?.unsupported === undefined ? found?.mesh : undefined;
}

/**
 * By destination key: Services without pods whose policies send requests to other Services. Those belong to a mesh of
 * the same cluster, or are federated to one.
 */
export function meshesOfTargets(
  graph: Graph,
  { destinations, federation, meshes }: Pick<ResolveContext, 'destinations' | 'federation' | 'meshes'>,
  traffic: Collection<TrafficPlan>,
  plugins: readonly LoadedPlugin[],
): Collection<MeshOfTargets> {
  const handling = new Map(plugins.map(({ plugin }) => [plugin.name, plugin.servicesWithoutPods]));
  return graph.derive('resolve/services-without-pods', traffic, (plan, read, id): MeshOfTargets | undefined => {
    const targets = targetsOf(plan);
    const destination = targets.length === 0 ? undefined : read.get(destinations.known, id);
    if (destination === undefined || !hasNoPods(destination)) return undefined;
    const mesh =
      firstMesh(targets, destination.cluster, destinations, read) ??
      firstImporter(targets, destination.cluster, { federation, meshes }, read);
    const how = mesh === undefined ? undefined : handling.get(mesh.type);
    if (mesh === undefined || how === undefined) return undefined;
    return how === 'routed' ? { mesh } : { mesh, unsupported: how.unsupported };
  });
}

/** Services that the plan shifts requests to, in order. */
function targetsOf({ routes }: TrafficPlan): readonly Key[] {
  const shifts = routes.flatMap(({ fields: { trafficShift } }) => trafficShift?.value.destinations ?? []);
  const targets = shifts.flatMap(({ kubeService }) =>
    kubeService === undefined ? [] : [clusterObjectKey(kubeService)],
  );
  return [...new Set(targets)].sort();
}

function firstMesh(
  targets: readonly Key[],
  cluster: string,
  { known }: ResolveContext['destinations'],
  read: Read,
): MeshFacts | undefined {
  return targets
    .map((target) => read.get(known, target))
    .find((target) => target?.cluster === cluster && target.mesh !== undefined)?.mesh;
}

/** The first mesh of the cluster that knows one of the targets by its federated name. */
function firstImporter(
  targets: readonly Key[],
  cluster: string,
  { federation, meshes }: Pick<ResolveContext, 'federation' | 'meshes'>,
  read: Read,
): MeshFacts | undefined {
  return targets
    .flatMap((target) => read.by(federation.byDestination, target).map(([, { consumer }]) => consumer))
    .toSorted()
    .map((consumer) => read.get(meshes, consumer))
    .find((mesh) => mesh?.cluster === cluster);
}
