/** The intermediate CA of a mesh with shared trust: the agent has it signed, and writes the Secret that istiod reads at its start. */
import type { MeshView, Output } from '@meshrelay/relay-core';
import { ISSUED_CERTIFICATE, istioObject } from '../kinds.ts';
import { meshName } from '../names.ts';

/** The Secret by which istiod is given a CA. */
const SECRET = 'cacerts';

export function intermediate({ mesh, virtualMesh, intermediate: wanted }: MeshView, out: Output): void {
  if (wanted === undefined) return;
  const { constrained, rootCertificateAuthority = {}, intermediateCertOptions: options } = wanted;
  const spec = {
    trustDomain: mesh.trustDomain,
    constrained,
    secretName: SECRET,
    issuer: { virtualMesh: { name: virtualMesh.name, namespace: virtualMesh.namespace }, ...rootCertificateAuthority },
    ...(options === undefined ? {} : { options }),
  };
  out.emit(mesh.cluster, istioObject(ISSUED_CERTIFICATE, mesh.namespace, meshName(SECRET), spec), [virtualMesh]);
}
