/** The discover stage: meshes, workloads and destinations from the objects of a cluster. */
export {
  type Discovery,
  discoverCluster,
  type FailedDiscovery,
  objectKey,
  refuseFailedDiscovery,
} from './discovery.ts';
