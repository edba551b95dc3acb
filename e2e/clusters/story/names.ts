/** Names in the clusters of the story. */

/** Meshrelay knows istiod by the name of this image. */
export const ISTIOD_IMAGE = 'docker.io/istio/pilot:1.28.0';
export const NAMESPACE = 'meshrelay';
export const WORKLOAD_CLUSTERS = ['east', 'west'] as const;
/** How many nodes each cluster has; the management cluster is the first. Nodes of the others are not drained. */
export const NODES = { management: 2, east: 2, west: 1 } as const;
export const ISTIO_NAMESPACE = 'istio-system';
/** Of both meshes: their proxies have certificates of one root. */
export const TRUST_DOMAIN = 'bookinfo.example';
