/** spec.federation */
import type { VirtualMeshField } from './field.ts';

type FederationCapability = 'mesh.federation.gateway' | 'mesh.federation.flatNetwork' | 'mesh.federation.tcpKeepalive';

export const federation: VirtualMeshField<FederationCapability> = {
  capabilities: {
    'mesh.federation.gateway': 'spec.federation',
    'mesh.federation.flatNetwork': 'spec.federation.flatNetwork',
    'mesh.federation.tcpKeepalive': 'spec.federation.tcpKeepalive',
  },
};

/** What a mesh needs to call a destination of another cluster: without a gateway between them if `direct`. */
export function federationRequirement({ direct }: { readonly direct: boolean }): FederationCapability {
  return direct ? 'mesh.federation.flatNetwork' : 'mesh.federation.gateway';
}
