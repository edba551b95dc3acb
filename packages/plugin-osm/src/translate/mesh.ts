/** A mesh in its virtual mesh. OSM has all its settings in the MeshConfig, which the user owns. */
import type { MeshView, Output } from '@meshrelay/relay-core';
import { meshConfigOf, meshConfigPatch, PERMISSIVE_MODE } from '../mesh-config.ts';

export function translateMesh({ mesh, virtualMesh, globalAccess }: MeshView, out: Output): void {
  if (globalAccess === 'MESH_DEFAULT') return;
  const permissive = globalAccess === 'DISABLED';
  const without = permissive ? 'denies requests that no TrafficTarget allows' : 'allows all requests';
  out.patch(
    {
      ...meshConfigPatch(mesh, PERMISSIVE_MODE, permissive, meshConfigOf(mesh).permissive),
      field: 'spec.globalAccessPolicy',
      without: `mesh ${mesh.namespace}/${mesh.name} ${without}`,
    },
    [virtualMesh],
  );
}
