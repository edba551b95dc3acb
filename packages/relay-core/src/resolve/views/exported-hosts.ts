/** The hosts that the gateways of a mesh admit: name patterns, no wider than necessary. */
import type { MeshFacts, Read } from '@meshrelay/plugin';
import { type Federation, namesOfCluster } from '../federation/mod.ts';
import { gatewayHostnamesUnder, type VirtualDestinations } from '../virtual-destinations/mod.ts';
import type { Federates } from '../virtual-meshes/mod.ts';

/** What the gateways must admit. */
export interface Passed {
  readonly passesAnything: boolean;
  /** Whether its gateways admit requests for virtual destinations. */
  readonly passesVirtual: boolean;
}

/** Looks up what the gateways of a mesh must admit. */
export function passedBy(
  read: Read,
  { key: mesh, type }: MeshFacts,
  resolveContext: {
    readonly federation: Pick<Federation, 'gatewayExportsOfMesh'>;
    readonly virtualDestinations: Pick<VirtualDestinations, 'gatewayHostnamesOfMesh'>;
  },
  federates: Federates,
): Passed {
  return {
    passesAnything: read.count(resolveContext.federation.gatewayExportsOfMesh, mesh) > 0,
    passesVirtual: federates(type) && read.count(resolveContext.virtualDestinations.gatewayHostnamesOfMesh, mesh) > 0,
  };
}

/** The patterns. Gateways admit all callers of the virtual mesh to all destinations with such names. */
export function exportedHosts(
  { cluster }: Pick<MeshFacts, 'cluster'>,
  suffix: string | undefined,
  { passesAnything, passesVirtual }: Passed,
): readonly string[] {
  return [
    ...(passesAnything ? [namesOfCluster(cluster, suffix)] : []),
    ...(passesVirtual ? [`*.${gatewayHostnamesUnder(suffix)}`] : []),
  ];
}
