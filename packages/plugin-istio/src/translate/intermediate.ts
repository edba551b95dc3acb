/**
 * The intermediate CA of a mesh with shared trust: the agent gets it signed, and writes the Secret that istiod reads at
 * startup.
 */
import { CONTROL_PLANE_SECRET, type MeshView, type Output } from '@meshrelay/plugin';
import { ISSUED_CERTIFICATE, istioObject } from '../kinds.ts';
import { meshName } from '../names.ts';

export function intermediate({ mesh, virtualMesh, intermediate: required }: MeshView, out: Output): void {
  if (required === undefined) return;
  const { constrained, rootCertificateAuthority = {}, intermediateCertOptions: options } = required;
  const spec = {
    trustDomain: mesh.trustDomain,
    constrained,
    secretName: CONTROL_PLANE_SECRET,
    issuer: { virtualMesh: { name: virtualMesh.name, namespace: virtualMesh.namespace }, ...rootCertificateAuthority },
    ...(options === undefined ? {} : { options }),
  };
  out.emit(mesh.cluster, istioObject(ISSUED_CERTIFICATE, mesh.namespace, meshName(CONTROL_PLANE_SECRET), spec), [
    virtualMesh,
  ]);
}
