/** Whether a kubeconfig has the permissions that a server needs, according to a real API server. */
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KubeObject } from '@meshrelay/api';
import { crds } from '@meshrelay/api/crds';
import { connect } from '@meshrelay/kube';
import type { ResourceKind } from '@meshrelay/relay-core';
import { assert, realApiServer, test } from '@meshrelay/testing';
import { type AppliedObject, applyAll, tokenOf } from '@meshrelay/testing/accounts';
import { Client, targetOf } from '@meshrelay/testing/api-server';
import { CustomResources } from '@meshrelay/testing/custom-resources';
import { NAMESPACE } from '../../src/online/kinds.ts';
import { managementCluster } from '../support/clusters.ts';
import { meshctlHere } from '../support/run.ts';

const admin = connect({ text: realApiServer() });
test.after(async () => await admin[Symbol.asyncDispose]());
const client = new Client(targetOf(realApiServer()));
test.after(() => client[Symbol.dispose]());
const namespace = `direct-${randomUUID().slice(0, 8)}`;

const CLUSTER_ROLE: ResourceKind = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind: 'ClusterRole',
  plural: 'clusterroles',
  namespaced: false,
};

/** The ServiceAccount that `meshctl cluster rbac --direct` prints, and its kubeconfig. */
async function directKubeconfig(): Promise<string> {
  const { stdout } = await meshctlHere(['cluster', 'rbac', '--direct', '--namespace', namespace, '-o', 'json'], '.');
  await applyAll(client, (JSON.parse(stdout) as { items: AppliedObject[] }).items);
  return realApiServer().replaceAll(client.target.token, await tokenOf(client, namespace, 'meshrelay-direct'));
}

test('the printed permissions are sufficient; a missing one is named before anything is stored', async () => {
  await CustomResources.install(client, crds);
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
  assert.match(good.stdout, 'the kubeconfig has the required RBAC');

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
