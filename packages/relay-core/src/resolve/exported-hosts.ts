/** What the gateways of a mesh let in: patterns of names, no wider than need be. */
import type { Read } from '../graph/collection.ts';
import type { MeshFacts } from '../plugin/views/mod.ts';
import type { Federates } from './federating.ts';
import type { Federation } from './federation.ts';
import { namesOfCluster } from './federation-names.ts';
import { gatewayHostnamesUnder } from './virtual-destinations/plan.ts';
import type { VirtualDestinations } from './virtual-destinations/virtual-destinations.ts';

/** What there is to be let in. */
export interface Passed {
  readonly passesAnything: boolean;
  /** Whether its gateways let requests for virtual destinations in. */
  readonly passesVirtual: boolean;
}

/** Looks up what the gateways of a mesh are there for. */
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

/** The patterns. Gateways let anybody of the virtual mesh in to all they know by such names. */
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
