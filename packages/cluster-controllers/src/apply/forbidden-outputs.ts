/**
 * Kinds that no server may make an agent write, whatever plugins declare. Otherwise control of a mesh would give
 * control of the cluster.
 */
import { CLUSTER_NAMESPACES, type ResourceKind } from '@meshrelay/relay-core';

/** Groups of RBAC, admission, the API itself, and identities. */
const GROUPS: ReadonlySet<string> = new Set([
  'rbac.authorization.k8s.io',
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'apiregistration.k8s.io',
  'authentication.k8s.io',
  'authorization.k8s.io',
  'certificates.k8s.io',
]);

/** Kinds of the core group that hold secrets, are identities, run code, or contain other objects. */
const CORE: ReadonlySet<string> = new Set([
  'Secret',
  'ServiceAccount',
  'Pod',
  'PodTemplate',
  'ReplicationController',
  'Node',
  'Namespace',
  'PersistentVolume',
]);

/** Whether the agent rejects every output of the kind. */
export function isForbiddenOutput({ group, kind }: Pick<ResourceKind, 'group' | 'kind'>): boolean {
  return GROUPS.has(group) || (group === '' && CORE.has(kind));
}

/** Whether the agent rejects every output for the namespace. */
export function isClustersOwn(namespace: string): boolean {
  return CLUSTER_NAMESPACES.includes(namespace);
}
