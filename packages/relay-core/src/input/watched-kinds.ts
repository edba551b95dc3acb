/** The kinds that core watches in every cluster. */
import {
  DAEMON_SET,
  DEPLOYMENT,
  ENDPOINT_SLICE,
  NODE,
  POD,
  REPLICA_SET,
  type ResourceKind,
  SERVICE,
  STATEFUL_SET,
} from '@meshrelay/plugin';

/** What core watches in every cluster, whatever its meshes. */
export const CORE_WATCHES: readonly ResourceKind[] = [
  POD,
  SERVICE,
  NODE,
  DEPLOYMENT,
  REPLICA_SET,
  STATEFUL_SET,
  DAEMON_SET,
  ENDPOINT_SLICE,
];
