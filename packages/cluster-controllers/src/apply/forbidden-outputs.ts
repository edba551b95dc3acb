/** Namespaces in which no server may make an agent write. */
import { CLUSTER_NAMESPACES } from '@meshrelay/relay-core';

/** Whether the agent rejects every output for the namespace. */
export function isClustersOwn(namespace: string): boolean {
  return CLUSTER_NAMESPACES.includes(namespace);
}
