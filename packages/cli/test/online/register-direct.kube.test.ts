/** Whether a kubeconfig has the rights that a server needs, as a real API server judges it. */
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KubeObject } from '@meshrelay/api';
import { crds } from '@meshrelay/api/crds';
import { connect, isKubeError } from '@meshrelay/kube';
import type { ResourceKind } from '@meshrelay/relay-core';
import { assert, realApiServer, test } from '@meshrelay/testing';
import { targetOf } from '@meshrelay/testing/api-server';
import { NAMESPACE } from '../../src/online/kinds.ts';
import { managementCluster } from '../support/clusters.ts';
import { meshctlHere } from '../support/run.ts';

const admin = connect({ text: realApiServer() });
test.after(async () => await admin[Symbol.asyncDispose]());
const namespace = `direct-${randomUUID().slice(0, 8)}`;
const RBAC = 'rbac.authorization.k8s.io';

const core = (kind: string, plural: string, namespaced: boolean, group = ''): ResourceKind => ({
  group,
  version: 'v1',
  kind,
  plural,
  namespaced,
});
const CRDS = core('CustomResourceDefinition', 'customresourcedefinitions', false, 'apiextensions.k8s.io');
const CLUSTER_ROLE = core('ClusterRole', 'clusterroles', false, RBAC);
const ADMISSION = 'admissionregistration.k8s.io';
const KINDS = [
  core('ValidatingAdmissionPolicy', 'validatingadmissionpolicies', false, ADMISSION),
  core('ValidatingAdmissionPolicyBinding', 'validatingadmissionpolicybindings', false, ADMISSION),
  CLUSTER_ROLE,
  core('Namespace', 'namespaces', false),
  core('ServiceAccount', 'serviceaccounts', true),
  core('ClusterRoleBinding', 'clusterrolebindings', false, RBAC),
  core('Role', 'roles', true, RBAC),
  core('RoleBinding', 'rolebindings', true, RBAC),
];

async function ensure(kind: ResourceKind, object: KubeObject): Promise<void> {
  try {
    await admin.objects(kind).create(object);
  } catch (error) {
    if (!isKubeError(error, 'RELAY_E_KUBE_EXISTS')) throw error;
  }
}

/** In place of what another suite left under this name. */
async function put(kind: ResourceKind, object: KubeObject): Promise<void> {
  const { namespace, name } = object.metadata;
  const present = await admin.objects(kind).read({ name, ...(namespace === undefined ? {} : { namespace }) });
  if (present === undefined) return ensure(kind, object);
  const { resourceVersion } = present.metadata;
  await admin.objects(kind).replace({ ...object, metadata: { ...object.metadata, resourceVersion } } as KubeObject);
}

/** The ServiceAccount that `meshctl cluster rights --direct` prints, and a kubeconfig of it. */
async function directKubeconfig(): Promise<string> {
  const { stdout } = await meshctlHere(['cluster', 'rights', '--direct', '--namespace', namespace, '-o', 'json'], '.');
  for (const item of (JSON.parse(stdout) as { items: KubeObject[] }).items) {
    const kind = KINDS.find((one) => one.kind === item.kind);
    assert.ok(kind, `a ${item.kind} is applied too`);
    await put(kind, item);
  }
  const { status } = await admin.request<{ status: { token: string } }>({
    what: 'make a token',
    method: 'POST',
    path: `/api/v1/namespaces/${namespace}/serviceaccounts/meshrelay-direct/token`,
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 3600 } },
  });
  return realApiServer().replaceAll(targetOf(realApiServer()).token, status.token);
}

test('the rights that are printed are all it asks for; one that is missing is named before anything is stored', async () => {
  for (const crd of crds as unknown as KubeObject[]) await ensure(CRDS, crd);
  await using management = await managementCluster();
  const metadata = { name: namespace };
  await management.connection.objects(NAMESPACE).create({ apiVersion: 'v1', kind: 'Namespace', metadata, spec: {} });
  const kubeconfig = join(management.folder, 'east.yaml');
  writeFileSync(kubeconfig, await directKubeconfig());
  const register = (name: string) =>
    meshctlHere(
      [
        ...['cluster', 'register', name, '--direct', kubeconfig, '--namespace', namespace, '--timeout', '0s'],
        ...['--mgmt-kubeconfig', management.kubeconfig],
      ],
      management.folder,
    );
  const good = await register('east');
  assert.equal([good.code, good.stderr], [0, '']);
  assert.match(good.stdout, 'and has the rights for it');

  const roles = admin.objects(CLUSTER_ROLE);
  const role = await roles.read({ name: 'meshrelay-direct' });
  assert.ok(role);
  const rules = (role as KubeObject & { rules: Array<{ resources: string[] }> }).rules.map((rule) => ({
    ...rule,
    resources: rule.resources.filter((resource) => resource !== 'services'),
  }));
  await roles.replace({ ...role, rules } as KubeObject);
  const bad = await register('west');
  assert.equal([bad.code, bad.stdout], [1, 'Registering west\n']);
  assert.match(bad.stderr, 'lacks rights that the server needs: get, list, watch of services; grant them');
});

test.run();
