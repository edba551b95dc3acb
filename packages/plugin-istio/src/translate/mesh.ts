/** A mesh in its virtual mesh: its gateways, and the settings for all its workloads. */
import type { CapabilityRows, MeshView, Output } from '@meshrelay/relay-core';
import { AUTHORIZATION_POLICY, GATEWAY, istioObject } from '../kinds.ts';
import { meshName } from '../names.ts';
import { strictPeerAuthentication } from '../peer-authentications.ts';
import { rootNamespace } from '../root-namespace.ts';
import { reportRefusedByDefault } from './inbound-mtls.ts';
import { intermediate } from './intermediate.ts';
import { trustDomains } from './trust-domains.ts';
import { usersObjects } from './users-objects.ts';

/** The mesh fields that Istio supports. */
export const MESH_CAPABILITIES: CapabilityRows<'mesh'> = {
  'mesh.federation.gateway': 'native',
  'mesh.federation.flatNetwork': 'native',
  'mesh.federation.tcpKeepalive': 'native',
  'mesh.globalAccess': 'native',
  'mesh.strictMtls': 'native',
  'mesh.trust.shared': 'native',
  'mesh.trust.limited': { unsupported: 'not translated yet; use shared trust' },
};

export function translateMesh(view: MeshView, out: Output): void {
  eastWestGateways(view, out);
  globalAccess(view, out);
  trustDomains(view, out);
  intermediate(view, out);
  usersObjects(view, out);
  reportRefusedByDefault(view, out);
  if (view.strictMtls) out.emit(view.mesh.cluster, strictPeerAuthentication(view.mesh), [view.virtualMesh]);
}

/** Routes requests by SNI without terminating their TLS, so callers keep their identities end to end. */
function eastWestGateways(
  { mesh, virtualMesh, eastWestGateways: gateways, exportedHosts }: MeshView,
  out: Output,
): void {
  if (exportedHosts.length === 0) return;
  for (const { name, namespace, workloadSelector, containerPort } of gateways) {
    const spec = {
      selector: workloadSelector,
      servers: [
        {
          port: { number: containerPort, name: 'tls', protocol: 'TLS' },
          hosts: exportedHosts,
          tls: { mode: 'AUTO_PASSTHROUGH' },
        },
      ],
    };
    out.emit(mesh.cluster, istioObject(GATEWAY, namespace, meshName(name), spec), [virtualMesh]);
  }
}

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
