/** The kinds the controllers read and write. */
import type { KindRef } from '../storage/controller-store.ts';

/** v1 Namespace. */
export const NAMESPACE: KindRef = { group: '', kind: 'Namespace' };
/** v1 Node. */
export const NODE: KindRef = { group: '', kind: 'Node' };
/** v1 Pod. */
export const POD: KindRef = { group: '', kind: 'Pod' };
/** v1 Service. */
export const SERVICE: KindRef = { group: '', kind: 'Service' };
/** v1 ServiceAccount. */
export const SERVICE_ACCOUNT: KindRef = { group: '', kind: 'ServiceAccount' };
/** v1 ConfigMap. */
export const CONFIG_MAP: KindRef = { group: '', kind: 'ConfigMap' };
/** apps/v1 Deployment. */
export const DEPLOYMENT: KindRef = { group: 'apps', kind: 'Deployment' };
/** apps/v1 ReplicaSet. */
export const REPLICA_SET: KindRef = { group: 'apps', kind: 'ReplicaSet' };
/** apps/v1 StatefulSet. */
export const STATEFUL_SET: KindRef = { group: 'apps', kind: 'StatefulSet' };
/** apps/v1 DaemonSet. */
export const DAEMON_SET: KindRef = { group: 'apps', kind: 'DaemonSet' };
/** discovery.k8s.io/v1 EndpointSlice. */
export const ENDPOINT_SLICE: KindRef = { group: 'discovery.k8s.io', kind: 'EndpointSlice' };
