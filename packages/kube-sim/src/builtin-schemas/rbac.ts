/** The rbac.authorization.k8s.io group: roles and their bindings. */
import type { SchemaNode } from '../object.ts';
import { atomic, listOf, record, text } from './build.ts';
import { kind, labelSelector } from './meta.ts';

const policyRule = record(
  {
    apiGroups: listOf(text),
    nonResourceURLs: listOf(text),
    resourceNames: listOf(text),
    resources: listOf(text),
    verbs: listOf(text),
  },
  'verbs',
);

/** rbac.authorization.k8s.io/v1 Role. */
export const role: SchemaNode = kind({ rules: listOf(policyRule) });

const aggregationRule = record({ clusterRoleSelectors: listOf(labelSelector) });

/** rbac.authorization.k8s.io/v1 ClusterRole. */
export const clusterRole: SchemaNode = kind({ aggregationRule, rules: listOf(policyRule) });

const roleRef = atomic(record({ apiGroup: text, kind: text, name: text }, 'kind', 'name'));

const subject = atomic(record({ apiGroup: text, kind: text, name: text, namespace: text }, 'kind', 'name'));

/** rbac.authorization.k8s.io/v1 RoleBinding. */
export const roleBinding: SchemaNode = kind({ roleRef, subjects: listOf(subject) }, 'roleRef');

/** rbac.authorization.k8s.io/v1 ClusterRoleBinding. */
export const clusterRoleBinding: SchemaNode = kind({ roleRef, subjects: listOf(subject) }, 'roleRef');
