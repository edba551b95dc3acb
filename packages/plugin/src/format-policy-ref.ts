/** A policy as messages name it. */
import type { PolicyRef } from '@meshrelay/api';

/** Kind, namespace and name; also the cluster, unless it is the management cluster. */
export function formatPolicyRef({ kind, cluster, namespace, name }: PolicyRef): string {
  const what = `${kind} ${namespace}/${name}`;
  return cluster === '' ? what : `${what} of cluster ${cluster}`;
}
