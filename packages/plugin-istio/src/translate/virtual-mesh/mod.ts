/** Istio's translation of every field of `spec` of a VirtualMesh. */
import { type CapabilityRows, type MeshView, type Output, rowsOf, type VirtualMeshFieldName } from '@meshrelay/plugin';
import { federation } from './federation.ts';
import type { VirtualMeshField } from './field.ts';
import { globalAccessPolicy } from './global-access-policy.ts';
import { meshes } from './meshes.ts';
import { mtlsConfig } from './mtls-config.ts';

/** One file per field; a field of the API that is missing here is a compile error. */
const VIRTUAL_MESH_FIELDS: { readonly [F in VirtualMeshFieldName]: VirtualMeshField<F> } = {
  federation,
  globalAccessPolicy,
  meshes,
  mtlsConfig,
};

export const MESH_CAPABILITIES: CapabilityRows<'mesh'> = rowsOf(VIRTUAL_MESH_FIELDS);

export function translateFields(view: MeshView, out: Output): void {
  for (const field of Object.values(VIRTUAL_MESH_FIELDS)) field.translate(view, out);
}
