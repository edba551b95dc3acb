// Values of omitted fields. The defaults of policies are in the files of their fields.

/** `clusterDomain` of a KubernetesCluster. */
export const DEFAULT_CLUSTER_DOMAIN = 'cluster.local';
/** `portName` of a selector of ingress gateways. */
export const DEFAULT_GATEWAY_PORT_NAME = 'tls';
