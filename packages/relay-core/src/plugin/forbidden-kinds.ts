/**
 * Kinds that no plugin may write, and no server may make an agent write. Otherwise control of a mesh would give control
 * of the cluster.
 */
import type { ResourceKind } from '@meshrelay/plugin';

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

/** Whether no plugin may write the kind. */
export function isForbiddenKind({ group, kind }: Pick<ResourceKind, 'group' | 'kind'>): boolean {
  return GROUPS.has(group) || (group === '' && CORE.has(kind));
}
