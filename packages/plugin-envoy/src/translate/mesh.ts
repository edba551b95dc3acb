/**
 * The mesh itself: the CA from which its agent issues identities, under the root of the virtual mesh or a root of the
 * cluster's own.
 */
import type { IssuedCertificateSpec } from '@meshrelay/api';
import { apiVersionOf, type MeshView, type Output, WORKLOAD_CA_SECRET } from '@meshrelay/relay-core';
import { ISSUED_CERTIFICATE } from '../kinds.ts';
import { CA_NAME } from '../names.ts';

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
