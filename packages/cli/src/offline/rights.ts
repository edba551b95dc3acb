/** What `meshctl cluster rights` prints: a ServiceAccount that may do what taking part in a cluster needs, and nothing else. */
import process from 'node:process';
import { memberRights } from '@meshrelay/relay-core';
import { type DataFormat, format } from '../output/format.ts';
import { loadMeshPlugins } from './plugins.ts';

export interface RightsOptions {
  readonly namespace: string;
  readonly direct?: true;
  readonly plugin: readonly string[];
  readonly output: DataFormat;
}

const RBAC = 'rbac.authorization.k8s.io/v1';

/** @throws InputError where a plugin cannot be loaded */
export async function printRights({ namespace, direct, plugin, output }: RightsOptions): Promise<void> {
  const plugins = (await loadMeshPlugins(plugin)).map(({ plugin: loaded }) => loaded);
  const name = direct === true ? 'meshrelay-direct' : 'meshrelay-agent';
  const rights = memberRights({ plugins, identity: direct !== true });
  const subjects = [{ kind: 'ServiceAccount', name, namespace }];
  const roleRef = (kind: string) => ({ apiGroup: 'rbac.authorization.k8s.io', kind, name });
  const own = { name, namespace };
  const items = [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: own },
    { apiVersion: RBAC, kind: 'ClusterRole', metadata: { name }, rules: rights.cluster },
    { apiVersion: RBAC, kind: 'ClusterRoleBinding', metadata: { name }, roleRef: roleRef('ClusterRole'), subjects },
    { apiVersion: RBAC, kind: 'Role', metadata: own, rules: rights.namespace },
    { apiVersion: RBAC, kind: 'RoleBinding', metadata: own, roleRef: roleRef('Role'), subjects },
  ];
  process.stdout.write(format({ apiVersion: 'v1', kind: 'List', items }, output));
}
