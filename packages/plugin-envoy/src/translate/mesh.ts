/**
 * The mesh itself: the CA from which its agent issues identities, under the root of the virtual mesh or a root of the
 * cluster's own.
 */

import type { IssuedCertificateSpec } from '@meshrelay/api';
import {
  apiVersionOf,
  type CapabilityRows,
  type MeshView,
  type Output,
  rowsOf,
  type VirtualMeshFieldName,
  type VirtualMeshRows,
  WORKLOAD_CA_SECRET,
} from '@meshrelay/plugin';
import { ISSUED_CERTIFICATE } from '../kinds.ts';
import { CA_NAME } from '../names.ts';

/** The rows of each field; a field of the API that is missing here is a compile error. */
const ROWS: { readonly [F in VirtualMeshFieldName]: { readonly capabilities: VirtualMeshRows<F> } } = {
  // listener/inbound.ts translates `strict`.
  mtlsConfig: {
    capabilities: {
      'mesh.strictMtls': 'native',
      'mesh.trust.shared': 'native',
      'mesh.trust.limited': {
        unsupported: 'not translated yet: each cluster keeps its own root; use shared trust',
      },
    },
  },
  // listener/gateway.ts and federated-destination.ts translate it.
  federation: {
    capabilities: {
      'mesh.federation.gateway': 'native',
      'mesh.federation.flatNetwork': 'native',
      'mesh.federation.tcpKeepalive': 'native',
    },
  },
  // listener/inbound.ts translates it.
  globalAccessPolicy: { capabilities: { 'mesh.globalAccess': 'native' } },
  // Core finds the members.
  meshes: { capabilities: {} },
};

export const MESH_CAPABILITIES: CapabilityRows<'mesh'> = rowsOf(ROWS);

export function translateMesh({ mesh, virtualMesh, intermediate }: MeshView, out: Output): void {
  const { name, namespace } = virtualMesh;
  const common = { trustDomain: mesh.trustDomain, secretName: WORKLOAD_CA_SECRET };
  const issuer = { virtualMesh: { name, namespace } };
  const spec: IssuedCertificateSpec =
    intermediate === undefined
      ? { ...common, constrained: false, issuer: { ...issuer, selfSigned: {} } }
      : {
          ...common,
          constrained: intermediate.constrained,
          issuer: { ...issuer, ...intermediate.rootCertificateAuthority },
          ...(intermediate.intermediateCertOptions === undefined
            ? {}
            : { options: intermediate.intermediateCertOptions }),
        };
  const object = {
    apiVersion: apiVersionOf(ISSUED_CERTIFICATE),
    kind: ISSUED_CERTIFICATE.kind,
    metadata: { name: CA_NAME, namespace: mesh.namespace },
    spec,
  };
  out.emit(mesh.cluster, object, [virtualMesh]);
}
