/** Which connections the pods of destinations accept, by user-owned objects and virtual meshes. */
import type { PolicyRef } from '@meshrelay/api';
import { type Collection, type InboundView, key, type MeshFacts, type PresentView, type Read } from '@meshrelay/plugin';
import { requiresMtls } from '../../fields/virtual-mesh/mtls-config.ts';
import type { Graph } from '../../graph/collection.ts';
import { InternedKeys } from '../../graph/interned-keys.ts';
import type { LoadedPlugin } from '../../plugin/registry.ts';
import type { PresentObject } from '../../store/fleet-state.ts';
import {
  type Destinations,
  destinationFacts,
  indexPresent,
  type KnownDestination,
  presentView,
  workloadLabelsOf,
} from '../inventory/mod.ts';
import type { VirtualMeshes } from '../virtual-meshes/mod.ts';

/**
 * Undefined if nothing configures it. Call it only where it matters: if callers get connection settings, or are in
 * other clusters.
 */
export type InboundOf = (read: Read, destination: KnownDestination, mesh: MeshFacts) => InboundView | undefined;

const NOTHING: readonly never[] = [];

/** Adds the lookup to a graph. */
export function inboundViews(
  graph: Graph,
  present: Collection<PresentObject>,
  { destinations, virtualMeshes }: { readonly destinations: Destinations; readonly virtualMeshes: VirtualMeshes },
  plugins: readonly LoadedPlugin[],
): InboundOf {
  const rulesOf = new Map(plugins.map(({ plugin }) => [plugin.name, plugin.inboundRules]));
  const found = indexPresent(graph, present, plugins, {
    name: 'resolve/inbound-rules',
    bucketsOf: ({ inboundRules }, object) =>
      inboundRules?.isOne(object) === true ? [[], [object.metadata.namespace ?? '']] : NOTHING,
  });
  // Most clusters have no such object, and one read then serves all destinations.
  const places = new Map(plugins.map(({ plugin }) => [plugin.name, new InternedKeys(plugin.name)]));
  const strict = graph.derive(
    'resolve/strict-mtls',
    virtualMeshes.memberships,
    ({ virtualMesh, ref }, read): PolicyRef | undefined =>
      requiresMtls(read.get(virtualMeshes.all, virtualMesh)?.object.spec ?? {}) ? ref : undefined,
  );
  return (read, destination, mesh) => {
    const rules = rulesOf.get(mesh.type);
    const place = places.get(mesh.type)?.of(mesh.cluster);
    if (rules === undefined || place === undefined) return undefined;
    const views = read.any(found, place)
      ? [...new Set(rules.namespacesFor(destinationFacts(destination, mesh)))].flatMap((namespace): PresentView[] =>
          read.by(found, key(mesh.type, mesh.cluster, namespace)).map(([, one]) => presentView(one)),
        )
      : NOTHING;
    const strictMtls = read.get(strict, mesh.key);
    if (views.length === 0 && strictMtls === undefined) return undefined;
    return {
      present: views,
      podLabels: views.length === 0 ? NOTHING : workloadLabelsOf(destination, destinations, read),
      ...(strictMtls === undefined ? {} : { strictMtls }),
    };
  };
}
