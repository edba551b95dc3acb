/** A mesh in its virtual mesh. OSM has all its settings in the MeshConfig, which the user owns. */
import {
  type CapabilityRows,
  type MeshView,
  type Output,
  rowsOf,
  type VirtualMeshFieldName,
  type VirtualMeshRows,
} from '@meshrelay/plugin';
import { meshConfigOf, meshConfigPatch, PERMISSIVE_MODE } from '../mesh-config.ts';
import { ONE_CLUSTER } from './unsupported.ts';

const OWN_ROOT = { unsupported: 'OSM has its own root of trust, which no other mesh can share' };

/** The rows of each field; a field of the API that is missing here is a compile error. */
const ROWS: { readonly [F in VirtualMeshFieldName]: { readonly capabilities: VirtualMeshRows<F> } } = {
  federation: {
    capabilities: {
      'mesh.federation.gateway': ONE_CLUSTER,
      'mesh.federation.flatNetwork': ONE_CLUSTER,
      'mesh.federation.tcpKeepalive': ONE_CLUSTER,
    },
  },
  // By a field of the user's MeshConfig, if Settings permits it.
  globalAccessPolicy: { capabilities: { 'mesh.globalAccess': 'native' } },
  mtlsConfig: {
    capabilities: {
      'mesh.strictMtls': { always: 'a proxy of OSM accepts nothing but mutual TLS from the mesh' },
      'mesh.trust.shared': OWN_ROOT,
      'mesh.trust.limited': OWN_ROOT,
    },
  },
  meshes: { capabilities: {} },
};

export const MESH_CAPABILITIES: CapabilityRows<'mesh'> = rowsOf(ROWS);

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
