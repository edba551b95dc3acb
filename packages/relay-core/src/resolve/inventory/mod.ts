/** The Services, ports and workloads of all clusters, and which of them a selector selects. */
export {
  ALL_CLUSTERS,
  type Destinations,
  destinationFacts,
  type ExposedAddress,
  type ExposedPort,
  type Exposure,
  joinDestinations,
  meshFacts,
} from './destinations.ts';
export { hasNoPods, type KnownDestination } from './known-destination.ts';
export { within } from './localities.ts';
export { type ClustersBySuffix, clustersByEnding, uniqueNames } from './names.ts';
export { notInMesh, serviceText } from './not-in-mesh.ts';
export type { PortFault } from './port-faults.ts';
export { hasTcpPort, httpPorts, supportsHttpRoutes } from './ports.ts';
export { indexPresent, presentView } from './present-views.ts';
export {
  clusterBucket,
  importedBucket,
  matcherSelects,
  namedBuckets,
  names,
  selectorBuckets,
  selects,
  selectsEverything,
  workspaceBucket,
  workspaceOwnedBucket,
} from './selectors.ts';
export { servicesOfPods } from './services-of-pods.ts';
export { servicesOfAccounts, sharedAccounts } from './shared-accounts.ts';
export { type WorkloadFacts, workloadFacts } from './workload-facts.ts';
export { workloadLabelsOf } from './workload-labels.ts';
