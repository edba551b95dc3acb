/** The hosts that the gateways of a mesh admit: name patterns, no wider than necessary. */
import type { MeshFacts, Read } from '@meshrelay/plugin';
import { type Federation, namesOfCluster } from '../federation/mod.ts';
import { gatewayHostnamesUnder, type VirtualDestinations } from '../virtual-destinations/mod.ts';
import type { Federates } from '../virtual-meshes/mod.ts';

/** The kinds of names that the gateways of a mesh admit. */
export interface GatewayAdmissions {
  /** Federated names of Services. */
  readonly admitsServices: boolean;
  /** Hostnames of virtual destinations. */
  readonly admitsVirtualDestinations: boolean;
}

export function gatewayAdmissions(
  read: Read,
  { key: mesh, type }: MeshFacts,
  resolveContext: {
    readonly federation: Pick<Federation, 'gatewayExportsOfMesh'>;
    readonly virtualDestinations: Pick<VirtualDestinations, 'gatewayHostnamesOfMesh'>;
  },
  federates: Federates,
): GatewayAdmissions {
  return {
    admitsServices: read.count(resolveContext.federation.gatewayExportsOfMesh, mesh) > 0,
    admitsVirtualDestinations:
      federates(type) && read.count(resolveContext.virtualDestinations.gatewayHostnamesOfMesh, mesh) > 0,
  };
}

/** The patterns. Gateways admit all callers of the virtual mesh to all destinations with such names. */
export function exportedHosts(
  { cluster }: Pick<MeshFacts, 'cluster'>,
  suffix: string,
  { admitsServices, admitsVirtualDestinations }: GatewayAdmissions,
): readonly string[] {
  return [
    ...(admitsServices ? [namesOfCluster(cluster, suffix)] : []),
    ...(admitsVirtualDestinations ? [`*.${gatewayHostnamesUnder(suffix)}`] : []),
  ];
}
