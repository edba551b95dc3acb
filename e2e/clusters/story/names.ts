/** Names in the clusters of the story. */

/** Meshrelay knows istiod by the name of this image. */
export const ISTIOD_IMAGE = 'docker.io/istio/pilot:1.28.0';
export const NAMESPACE = 'meshrelay';
export const MANAGEMENT = 'management';
export const WORKLOAD_CLUSTERS = ['east', 'west'] as const;
