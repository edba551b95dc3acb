/**
 * Meshes whose proxies have no other control plane. In a virtual mesh, Meshrelay generates their complete
 * configuration.
 */
import type { PolicyRef } from '@meshrelay/api';
import type { Collection, Key, MeshFacts, MeshView, Read } from '@meshrelay/plugin';
import { virtualMeshParts } from '../../fields/virtual-mesh/mod.ts';
import type { Graph } from '../../graph/collection.ts';
import type { LoadedPlugin } from '../../plugin/registry.ts';
import type { VirtualMeshes } from './virtual-meshes.ts';

/** Settings for all workloads of such a mesh. */
export interface ConfiguredMesh {
  readonly virtualMesh: PolicyRef;
  readonly globalAccess: MeshView['globalAccess'];
  readonly strictMtls: boolean;
}

/** The lookup of such meshes. Meshes of other types cost nothing. */
export interface ConfiguredMeshes {
  /** By mesh key. */
  readonly all: Collection<ConfiguredMesh>;
  /** Undefined without a virtual mesh, and for types whose proxies have a control plane of their own. */
  of(read: Read, mesh: Pick<MeshFacts, 'key' | 'type'>): ConfiguredMesh | undefined;
  /** Whether proxies of a mesh type are configured completely, as members of a virtual mesh. */
  hasConfiguredProxies(type: string): boolean;
}

/** Adds the lookup to a graph. */
export function configuredMeshes(
  graph: Graph,
  meshes: Collection<MeshFacts>,
  { memberships, all: virtualMeshes }: VirtualMeshes,
  plugins: readonly LoadedPlugin[],
): ConfiguredMeshes {
  const types = describedTypes(plugins);
  const all = graph.derive('resolve/configured-meshes', memberships, (membership, read): ConfiguredMesh | undefined => {
    const type = read.get(meshes, membership.mesh)?.type;
    const spec = read.get(virtualMeshes, membership.virtualMesh)?.object.spec;
    if (type === undefined || spec === undefined || !types.has(type)) return undefined;
    const { globalAccess, strictMtls } = virtualMeshParts(spec, { hasOtherTrustDomains: false });
    return { virtualMesh: membership.ref, globalAccess, strictMtls };
  });
  return {
    all,
    of: (read, { key, type }: { readonly key: Key; readonly type: string }) =>
      types.has(type) ? read.get(all, key) : undefined,
    hasConfiguredProxies: (type) => types.has(type),
  };
}

/** The mesh types whose proxies are configured completely, as members of a virtual mesh. */
export function describedTypes(plugins: readonly LoadedPlugin[]): ReadonlySet<string> {
  return new Set(plugins.filter(({ plugin }) => plugin.configuresProxies === true).map(({ plugin }) => plugin.name));
}
