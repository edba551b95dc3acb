/** What `meshctl cluster rights` prints: a ServiceAccount that may do what taking part in a cluster needs, and nothing else. */
import process from 'node:process';
import { memberRights } from '@meshrelay/relay-core';
import { type DataFormat, format } from '../output/format.ts';
import { InputError } from '../problem.ts';
import { loadMeshPlugins } from './plugins.ts';

export interface RightsOptions {
  readonly namespace: string;
  readonly direct?: true;
  readonly plugin: readonly string[];
  /** Secrets that the agent may read, as `NAMESPACE/NAME`. */
  readonly pullSecret: readonly string[];
  readonly output: DataFormat;
}

/** In namespaces of others, so it says whose it is. */
const PULL_SECRETS_ROLE = 'meshrelay-agent-pull-secrets';
const RBAC = 'rbac.authorization.k8s.io/v1';

/** @throws InputError where a plugin cannot be loaded, or Secrets are named that nobody would read */
export async function printRights({ namespace, direct, plugin, pullSecret, output }: RightsOptions): Promise<void> {
  if (direct === true && pullSecret.length > 0)
    throw new InputError(
      '--pull-secret is for an agent, which fetches modules; with --direct there is none, so leave it out',
    );
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
    ...pullSecretRights(pullSecret, subjects),
  ];
  process.stdout.write(format({ apiVersion: 'v1', kind: 'List', items }, output));
}

/** To get these Secrets and no others: a Role of its own in each namespace. */
function pullSecretRights(secrets: readonly string[], subjects: readonly object[]): readonly object[] {
  const named = secrets.map((secret) => secret.split('/') as [string, string]);
  const byNamespace = Map.groupBy(named, ([namespace]) => namespace);
  return [...byNamespace].flatMap(([namespace, list]) => {
    const metadata = { name: PULL_SECRETS_ROLE, namespace };
    const resourceNames = [...new Set(list.map(([, name]) => name))].sort();
    const rules = [{ apiGroups: [''], resources: ['secrets'], resourceNames, verbs: ['get'] }];
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: PULL_SECRETS_ROLE };
    return [
      { apiVersion: RBAC, kind: 'Role', metadata, rules },
      { apiVersion: RBAC, kind: 'RoleBinding', metadata, roleRef, subjects },
    ];
  });
}
