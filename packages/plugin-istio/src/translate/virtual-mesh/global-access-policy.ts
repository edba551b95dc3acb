/** An AuthorizationPolicy for the whole mesh. */
import type { MeshView, Output } from '@meshrelay/plugin';
import { AUTHORIZATION_POLICY, istioObject } from '../../kinds.ts';
import { meshName } from '../../names.ts';
import { rootNamespace } from '../../root-namespace.ts';
import type { VirtualMeshField } from './field.ts';

export const globalAccessPolicy: VirtualMeshField<'globalAccessPolicy'> = {
  capabilities: { 'mesh.globalAccess': 'native' },
  translate: globalAccess,
};

/** Denies requests by default unless an access policy allows them, and keeps gateways open. */
function globalAccess({ mesh, virtualMesh, globalAccess: mode, openGateways }: MeshView, out: Output): void {
  if (mode !== 'ENABLED') return;
  out.emit(mesh.cluster, istioObject(AUTHORIZATION_POLICY, rootNamespace(mesh), meshName('global-access'), {}), [
    virtualMesh,
  ]);
  for (const { name, namespace, workloadSelector } of openGateways) {
    const spec = { selector: { matchLabels: workloadSelector }, action: 'ALLOW', rules: [{}] };
    out.emit(mesh.cluster, istioObject(AUTHORIZATION_POLICY, namespace, meshName(`open.${name}`), spec), [virtualMesh]);
  }
}
