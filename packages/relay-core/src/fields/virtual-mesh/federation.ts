/** spec.federation */
import {
  DEFAULT_HOSTNAME_SUFFIX,
  type DestinationSelector,
  type Federation,
  type FederationMode,
  type ObjectRef,
} from '@meshrelay/api';
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
  effects: ({ flatNetwork, tcpKeepalive }) => [
    ...(flatNetwork ? [['federation.flatNetwork', flatNetwork] as const] : []),
    ...(tcpKeepalive === undefined ? [] : [['federation.tcpKeepalive', tcpKeepalive] as const]),
  ],
};

/** Destinations that a virtual mesh federates, and the meshes that get them. */
export interface FederationSelection {
  /** Empty: every destination. */
  readonly destinationSelectors: readonly DestinationSelector[];
  /** Empty: every other member. */
  readonly meshes: readonly ObjectRef[];
}

/** In the order of the spec. */
export function federationSelections({ mode, selectors = [] }: Federation = {}): readonly FederationSelection[] {
  return selectionsIn(mode, selectors).map(({ destinationSelectors = [], meshes = [] }) => ({
    destinationSelectors,
    meshes,
  }));
}

function selectionsIn(
  mode: FederationMode | undefined,
  selectors: ReadonlyArray<Partial<FederationSelection>>,
): ReadonlyArray<Partial<FederationSelection>> {
  switch (mode) {
    case 'NONE':
      return [];
    case 'ALL':
      return [{}];
    default:
      return selectors;
  }
}

/** The suffix of federated names; the default for a virtual mesh without `spec.federation`, too. */
export function hostnameSuffixOf({ hostnameSuffix = DEFAULT_HOSTNAME_SUFFIX }: Federation = {}): string {
  return hostnameSuffix;
}

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
