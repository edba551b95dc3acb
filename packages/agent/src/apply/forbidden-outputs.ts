/** What no server may make an agent write, whatever plugins say that they write: it would be a way from one cluster's mesh to the cluster itself. */
import { CLUSTER_NAMESPACES, type ResourceKind } from '@meshrelay/relay-core';

/** Rights, admission, the API itself, and identities. */
const GROUPS: ReadonlySet<string> = new Set([
  'rbac.authorization.k8s.io',
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'apiregistration.k8s.io',
  'authentication.k8s.io',
  'authorization.k8s.io',
  'certificates.k8s.io',
]);

/** Of the core group: what holds secrets, is an identity, runs code, or holds others. */
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

/** Whether outputs of the kind are never taken. */
export function isForbiddenOutput({ group, kind }: Pick<ResourceKind, 'group' | 'kind'>): boolean {
  return GROUPS.has(group) || (group === '' && CORE.has(kind));
}

/** Whether no output is ever taken for the namespace. */
export function isClustersOwn(namespace: string): boolean {
  return CLUSTER_NAMESPACES.includes(namespace);
}
