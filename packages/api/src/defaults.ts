// Values of omitted fields. The defaults of a TrafficPolicy are in the files of its fields.
import type { AccessAction } from './networking/access-policy.ts';
import type { OutlierDetection } from './networking/traffic/outlier-detection.ts';
import type { GlobalAccessPolicy } from './networking/virtual-mesh.ts';

/** `clusterDomain` of a KubernetesCluster. */
export const DEFAULT_CLUSTER_DOMAIN = 'cluster.local';
/** `federation.hostnameSuffix` of a VirtualMesh. */
export const DEFAULT_HOSTNAME_SUFFIX = 'global';
/** `globalAccessPolicy` of a VirtualMesh. */
export const DEFAULT_GLOBAL_ACCESS_POLICY: GlobalAccessPolicy = 'MESH_DEFAULT';
/** `portName` of a selector of ingress gateways. */
export const DEFAULT_GATEWAY_PORT_NAME = 'tls';
/** `action` of an AccessPolicy. */
export const DEFAULT_ACCESS_ACTION: AccessAction = 'ALLOW';

/** `localized.outlierDetection` of a VirtualDestination: an ejected endpoint sends its requests to another cluster. */
export const defaultLocalizedOutlierDetection: Required<OutlierDetection> = {
  consecutiveErrors: 10,
  interval: '5s',
  baseEjectionTime: '2m',
  maxEjectionPercent: 100,
};
