/** A mesh in its virtual mesh. All that OSM has of it is in the MeshConfig, which is the user's own. */
import type { MeshView, Output } from '@meshrelay/relay-core';
import { meshConfigOf, patchCommand } from '../mesh-config.ts';
import { fallShort } from '../reports.ts';

export function translateMesh({ mesh, virtualMesh, globalAccess }: MeshView, out: Output): void {
  if (globalAccess === 'MESH_DEFAULT') return;
  const permissive = globalAccess === 'DISABLED';
  if (meshConfigOf(mesh).permissive === permissive) return;
  const command = patchCommand(mesh, 'traffic', 'enablePermissiveTrafficPolicyMode', permissive);
  fallShort(out, [virtualMesh], {
    code: 'NOT_PATCHED',
    field: 'spec.globalAccessPolicy',
    message: `the MeshConfig of mesh ${mesh.namespace}/${mesh.name} does not say so yet: ${command}`,
  });
}
