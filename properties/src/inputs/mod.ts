/** Third-party manifests as clusters, and random policies for them. */
export { planeOf } from './control-plane.ts';
export { clusterOf, INPUT_FOLDERS, type InputCluster } from './manifests.ts';
export { randomPolicies } from './policies.ts';
