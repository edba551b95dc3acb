/** Every field of `spec` of a VirtualMesh, as plugins see it. */
import type { VirtualMeshFieldName } from '@meshrelay/api';

/** The capabilities of each field. The order is that of the capability matrix. */
export const VIRTUAL_MESH_FIELDS = {
  federation: {
    capabilities: ['mesh.federation.gateway', 'mesh.federation.flatNetwork', 'mesh.federation.tcpKeepalive'],
  },
  globalAccessPolicy: { capabilities: ['mesh.globalAccess'] },
  mtlsConfig: { capabilities: ['mesh.strictMtls', 'mesh.trust.shared', 'mesh.trust.limited'] },
  meshes: { capabilities: [] },
} as const;

/** The capabilities of a field. */
export type VirtualMeshCapabilitiesOf<F extends VirtualMeshFieldName> =
  (typeof VIRTUAL_MESH_FIELDS)[F]['capabilities'][number];

/** Capabilities of these fields. */
export type VirtualMeshCapability = VirtualMeshCapabilitiesOf<VirtualMeshFieldName>;
