/** East-west gateways. ServiceEntries, WorkloadEntries and DestinationRules of federated destinations do the rest. */
import type { MeshView, Output } from '@meshrelay/plugin';
import { GATEWAY, istioObject } from '../../kinds.ts';
import { meshName } from '../../names.ts';
import type { VirtualMeshField } from './field.ts';

export const federation: VirtualMeshField<'federation'> = {
  capabilities: {
    'mesh.federation.gateway': 'native',
    'mesh.federation.flatNetwork': 'native',
    'mesh.federation.tcpKeepalive': 'native',
  },
  translate: eastWestGateways,
};

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
