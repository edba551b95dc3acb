/** A policy as messages name it. */
import type { PolicyRef } from '@meshrelay/api';

/** Kind, namespace and name; the cluster too where it is not the management cluster's. */
export function formatPolicyRef({ kind, cluster, namespace, name }: PolicyRef): string {
  const what = `${kind} ${namespace}/${name}`;
  return cluster === '' ? what : `${what} of cluster ${cluster}`;
}
