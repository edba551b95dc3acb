/** spec.federation */
import type { Federation } from '@meshrelay/api';
import type { TcpKeepaliveView, VirtualMeshCapabilitiesOf } from '@meshrelay/plugin';
import { keepaliveView } from '../traffic/connection-pool.ts';
import type { VirtualMeshField } from './field.ts';

export const federation: VirtualMeshField<'federation'> = {
  capabilities: {
    'mesh.federation.gateway': 'spec.federation',
    'mesh.federation.flatNetwork': 'spec.federation.flatNetwork',
    'mesh.federation.tcpKeepalive': 'spec.federation.tcpKeepalive',
  },
  view: ({ federation }) => ({ flatNetwork: federation?.flatNetwork ?? false, ...keepaliveOf(federation) }),
  reduce: (view, supports) => {
    const reduced = reduceKeepalive(view, () => supports('mesh.federation.tcpKeepalive'));
    const hasGateways = view.exportedHosts.length === 0 || supports('mesh.federation.gateway');
    const flatNetwork = view.flatNetwork && supports('mesh.federation.flatNetwork');
    return { ...reduced, flatNetwork, exportedHosts: hasGateways ? view.exportedHosts : [] };
  },
};

interface WithKeepalive {
  /** For connections to other clusters. */
  readonly tcpKeepalive?: TcpKeepaliveView;
}

/** The keepalives that a federation sets for connections to other clusters, in each view of such connections. */
export function keepaliveOf(federation: Federation | undefined): WithKeepalive {
  return federation?.tcpKeepalive === undefined ? {} : { tcpKeepalive: keepaliveView(federation.tcpKeepalive) };
}

/** The view without keepalives if the mesh does not support them. */
export function reduceKeepalive<View extends WithKeepalive>(view: View, isSupported: () => boolean): View {
  if (view.tcpKeepalive === undefined || isSupported()) return view;
  const { tcpKeepalive, ...rest } = view;
  return rest as Omit<View, 'tcpKeepalive'> as View;
}

/** What a mesh needs to call a destination of another cluster: without a gateway between them if `direct`. */
export function federationRequirement({
  direct,
}: {
  readonly direct: boolean;
}): VirtualMeshCapabilitiesOf<'federation'> {
  return direct ? 'mesh.federation.flatNetwork' : 'mesh.federation.gateway';
}
