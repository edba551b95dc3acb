/** The size and make of a world: workload W(clusters, services, policies). */

export interface FleetShape {
  readonly clusters: number;
  /** Over all clusters. */
  readonly services: number;
  /** TrafficPolicies and AccessPolicies, all in the management cluster. */
  readonly policies: number;
  /** Every n-th service is made known to all other clusters by a VirtualMesh; 0: there is no VirtualMesh. */
  readonly exportEvery: number;
  /** Clusters of one VirtualMesh; omitted: all are in one. */
  readonly clustersOfMesh?: number;
  /** Whether namespaces belong to workspaces, and policies on a namespace are in it. */
  readonly workspaces?: boolean;
  /** Whether there are VirtualDestinations. They need a VirtualMesh. */
  readonly virtualDestinations?: boolean;
  readonly seed: number;
}

/** The policies that edits are made to each select this many destinations, which no other such policy selects. */
export const EDITED_DESTINATIONS = 5;
/** How many such policies there are. Their destinations have the same policies in a world of any size. */
export const EDITED_POLICIES = 40;
/** Services that belong to policies to be edited; they come first. */
export const EDITED_SERVICES: number = EDITED_POLICIES * EDITED_DESTINATIONS;
/** Services of one namespace. */
export const NAMESPACE_SERVICES = 50;
/** At most this many policies select everything. */
export const MESH_WIDE_POLICIES = 10;

export function clusterName(position: number): string {
  return `cluster-${position + 1}`;
}

/** The cluster a service is in. */
export function clusterOf({ clusters }: FleetShape, service: number): string {
  return clusterName(service % clusters);
}

/** Services of one policy to be edited share a namespace, as do {@link NAMESPACE_SERVICES} of the others. */
export function namespaceOf(service: number): string {
  return service < EDITED_SERVICES
    ? `edited-${Math.floor(service / EDITED_DESTINATIONS)}`
    : `team-${Math.floor((service - EDITED_SERVICES) / NAMESPACE_SERVICES)}`;
}

/** How many namespaces hold services that are in no edited policy. */
export function teamNamespaces({ services }: FleetShape): number {
  return Math.ceil((services - EDITED_SERVICES) / NAMESPACE_SERVICES);
}

export function serviceName(service: number): string {
  return `service-${service}`;
}

export function isExported({ exportEvery }: FleetShape, service: number): boolean {
  return exportEvery > 0 && service % exportEvery === 0;
}

const SEED = 20_261_121;

/** The shape of that size that figures are of. */
export function fleet(clusters: number, services: number, policies: number, exportEvery = 0): FleetShape {
  return { clusters, services, policies, exportEvery, seed: SEED };
}

/** How figures name it. */
export function label(shape: FleetShape): string {
  const { clusters, services, policies, exportEvery, clustersOfMesh } = shape;
  const more = [
    ...(exportEvery === 0 ? [] : [`1/${exportEvery} federated`]),
    ...(clustersOfMesh === undefined ? [] : [`by ${clustersOfMesh}`]),
    ...(shape.workspaces === true ? ['workspaces'] : []),
    ...(shape.virtualDestinations === true ? ['virtual destinations'] : []),
  ];
  return `W(${[clusters, services, policies, ...more].join(', ')})`;
}
