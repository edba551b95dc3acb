/** The size and composition of a fleet: workload W(clusters, services, policies). */

export interface FleetShape {
  readonly clusters: number;
  /** Over all clusters. */
  readonly services: number;
  /** TrafficPolicies and AccessPolicies, all in the management cluster. */
  readonly policies: number;
  /** A VirtualMesh federates every n-th service to all other clusters; 0: there is no VirtualMesh. */
  readonly exportEvery: number;
  /** Clusters per VirtualMesh; omitted: all are in one. */
  readonly clustersOfMesh?: number;
  /** Whether namespaces belong to workspaces, and policies on a namespace are in it. */
  readonly workspaces?: boolean;
  /** Whether there are VirtualDestinations. They need a VirtualMesh. */
  readonly virtualDestinations?: boolean;
  readonly seed: number;
}

/** Each edited policy selects this many destinations, which no other edited policy selects. */
export const EDITED_DESTINATIONS = 5;
/** Number of edited policies. Their destinations have the same policies in a fleet of any size. */
export const EDITED_POLICIES = 40;
/** Services of the edited policies; they come first. */
export const EDITED_SERVICES: number = EDITED_POLICIES * EDITED_DESTINATIONS;
/** Services of one namespace. */
export const NAMESPACE_SERVICES = 50;
/** At most this many policies select everything. */
export const MESH_WIDE_POLICIES = 10;

export function clusterName(position: number): string {
  return `cluster-${position + 1}`;
}

/** The cluster of a service. */
export function clusterOf({ clusters }: FleetShape, service: number): string {
  return clusterName(service % clusters);
}

/** Services of one edited policy share a namespace, as do {@link NAMESPACE_SERVICES} of the others. */
export function namespaceOf(service: number): string {
  return service < EDITED_SERVICES
    ? `edited-${Math.floor(service / EDITED_DESTINATIONS)}`
    : `team-${Math.floor((service - EDITED_SERVICES) / NAMESPACE_SERVICES)}`;
}

/** Number of namespaces with services of no edited policy. */
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

/** The fleet shape of that size that the figures use. */
export function fleet(clusters: number, services: number, policies: number, exportEvery = 0): FleetShape {
  return { clusters, services, policies, exportEvery, seed: SEED };
}

/** Its name in figures. */
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
