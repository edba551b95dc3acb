/** A ServiceAccount with its permissions, as objects to apply. */

import type { KubeObject } from '@meshrelay/api';
import type { Account } from './account-name.ts';
import { limitsPolicy } from './limits-policy.ts';
import type { RbacRule } from './rbac-rule.ts';
import type { Rights } from './rights.ts';

const GROUP = 'rbac.authorization.k8s.io';
const RBAC = `${GROUP}/v1`;

/** The admission policy comes first, so that permissions are limited before they are granted. */
export function accountObjects(account: Account, rights: Rights): readonly KubeObject[] {
  const { name, namespace } = account;
  const subjects = [{ kind: 'ServiceAccount', name, namespace }];
  const metadata = { name, namespace };
  const granted = (kind: 'ClusterRole' | 'Role', where: object, rules: readonly RbacRule[]): readonly object[] => {
    const { name: role } = where as { readonly name: string };
    return [
      { apiVersion: RBAC, kind, metadata: where, rules },
      {
        apiVersion: RBAC,
        kind: `${kind}Binding`,
        metadata: where,
        roleRef: { apiGroup: GROUP, kind, name: role },
        subjects,
      },
    ];
  };
  return [
    ...limitsPolicy(account, rights),
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata },
    ...granted('ClusterRole', { name }, rights.cluster),
    ...granted('Role', metadata, rights.namespace),
    ...rights.otherClusters.flatMap(({ namespace: other, purpose, rules }) =>
      granted('Role', { name: `${name}-${purpose}`, namespace: other }, rules),
    ),
  ] as readonly KubeObject[];
}
