/** What meshctl uninstall leaves in a cluster, and what it says about it. */
import { chmodSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import type { KubeObject } from '@meshrelay/api';
import { crds } from '@meshrelay/api/crds';
import { meshrelayKind, secretKind } from '@meshrelay/kube';
import { DEPLOYMENT, ISSUED_FOR_LABEL, OWNER_LABEL, type ResourceKind } from '@meshrelay/relay-core';
import { assert, test } from '@meshrelay/testing';
import { addUninstall } from '../../src/commands/install.ts';
import { CRD, NAMESPACE as NAMESPACES } from '../../src/online/kinds.ts';
import { bare } from '../support/bad-calls.ts';
import { managementCluster, NAMESPACE, type TestCluster, workloadCluster } from '../support/clusters.ts';
import { meshctlWith } from '../support/run-commands.ts';
import type { Result } from '../support/run-here.ts';

const meshctl = meshctlWith(addUninstall);

const RETRY: ResourceKind = {
  ...{ group: 'policy.openservicemesh.io', version: 'v1alpha1' },
  ...{ kind: 'Retry', plural: 'retries', namespaced: true },
};
const ROLE: ResourceKind = {
  ...{ group: 'rbac.authorization.k8s.io', version: 'v1' },
  ...{ kind: 'Role', plural: 'roles', namespaced: true },
};
const CLUSTER_ROLE: ResourceKind = { ...ROLE, kind: 'ClusterRole', plural: 'clusterroles', namespaced: false };

/** In a cluster in which Helm has no release. */
async function uninstall(cluster: TestCluster, ...words: readonly string[]): Promise<Result> {
  const file = join(cluster.folder, 'helm');
  writeFileSync(file, '#!/bin/sh\n[ "$1" = version ] && echo v3.14.0 || echo "[]"\n');
  chmodSync(file, 0o755);
  const env = { ...bare(cluster.folder), PATH: `${cluster.folder}${delimiter}${process.env['PATH']}` };
  return await meshctl(['uninstall', ...words, '--kubeconfig', cluster.kubeconfig], cluster.folder, env);
}

async function create({ connection }: TestCluster, kind: ResourceKind, metadata: object, rest = {}): Promise<void> {
  const apiVersion = kind.group === '' ? kind.version : `${kind.group}/${kind.version}`;
  await connection.objects(kind).create({ apiVersion, kind: kind.kind, metadata, ...rest } as KubeObject);
}

async function withOsm(): Promise<TestCluster> {
  const cluster = await workloadCluster();
  for (const name of [NAMESPACE, 'osm-system', 'shop']) await create(cluster, NAMESPACES, { name });
  const { group, version, kind, plural } = RETRY;
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  const spec = {
    group,
    scope: 'Namespaced',
    names: { kind, plural, singular: 'retry', listKind: 'RetryList' },
    versions: [{ name: version, served: true, storage: true, schema }],
  };
  await create(cluster, CRD, { name: `${plural}.${group}` }, { spec });
  return cluster;
}

test('uninstall names what is left in a cluster without Istio, with commands for its context', async () => {
  await using cluster = await withOsm();
  for (const crd of crds) await cluster.connection.objects(CRD).create(crd as unknown as KubeObject);
  await create(cluster, RETRY, { name: 'meshrelay-a', namespace: 'shop', labels: { [OWNER_LABEL]: NAMESPACE } });
  await create(cluster, RETRY, { name: 'own', namespace: 'shop' });
  await create(cluster, secretKind, { name: 'cacerts', namespace: 'osm-system', labels: { [ISSUED_FOR_LABEL]: 'a' } });
  await create(cluster, secretKind, { name: 'relay-client-tls-secret', namespace: NAMESPACE });
  await create(cluster, ROLE, { name: 'meshrelay-agent-mesh-ca', namespace: 'osm-system' });
  await create(cluster, CLUSTER_ROLE, { name: 'meshrelay-agent' });
  await create(cluster, CLUSTER_ROLE, { name: 'meshrelay-mgmt-server' });
  const { code, stdout, stderr } = await uninstall(cluster, 'agent', '--purge', '--yes');
  assert.equal([code, stderr], [0, '']);
  const { context, server } = cluster.connection;
  const kubectl = `    kubectl --kubeconfig ${cluster.kubeconfig} --context ${context}`;
  assert.is(
    stdout,
    [
      '  ✓ deleted 1 Secret of meshrelay-agent',
      `  ✓ deleted ${crds.length} CRDs with all their objects`,
      `left in context ${context} (${server}), and how to delete it:`,
      '  1 generated object, which no controller manages any more:',
      `${kubectl} delete retries.policy.openservicemesh.io -A -l meshrelay.dev/owner=meshrelay`,
      '  CAs of meshes, in Secrets osm-system/cacerts: workloads use certificates under them, so give each mesh another CA first; then:',
      `${kubectl} delete secret -A -l meshrelay.dev/issued-certificate`,
      '  permissions and admission policies that no release has:',
      `${kubectl} delete clusterroles/meshrelay-agent`,
      '  permissions and admission policies in namespace osm-system that no release has:',
      `${kubectl} -n osm-system delete roles/meshrelay-agent-mesh-ca`,
      '  namespace meshrelay, which meshctl did not create:',
      `${kubectl} delete namespace meshrelay`,
      '',
    ].join('\n'),
  );
});

test('a second uninstall of what is gone asks nothing, and says that nothing is left', async () => {
  await using cluster = await workloadCluster();
  const { code, stdout, stderr } = await uninstall(cluster, 'agent', '--purge');
  const { context, server } = cluster.connection;
  assert.equal(
    [code, stderr, stdout],
    [0, '', `  ✓ nothing of the agent is installed\nnothing of the agent is left in context ${context} (${server})\n`],
  );
});

test('a namespace that is being deleted is not deleted again', async () => {
  await using cluster = await workloadCluster();
  const labels = { 'app.kubernetes.io/managed-by': 'meshctl' };
  await create(cluster, NAMESPACES, { name: NAMESPACE, labels, finalizers: ['example.com/held'] });
  await create(cluster, ROLE, { name: 'meshrelay-agent', namespace: NAMESPACE });
  await cluster.connection.objects(NAMESPACES).delete({ name: NAMESPACE });
  assert.ok((await cluster.connection.objects(NAMESPACES).read({ name: NAMESPACE }))?.metadata.deletionTimestamp);
  const { code, stdout, stderr } = await uninstall(cluster, 'agent', '--purge');
  assert.equal([code, stderr], [0, '']);
  assert.match(stdout, '✓ nothing of the agent is installed\nnothing of the agent is left in ');
});

test('what the API server does not list is named', async () => {
  await using cluster = await withOsm();
  const match = { group: RETRY.group, resource: RETRY.plural, verbs: ['list'] } as const;
  using _denied = cluster.sim.faults.add({ match, fault: { kind: 'error', code: 403 } });
  const { stdout } = await uninstall(cluster, 'agent', '--purge');
  assert.match(stdout, '  not known, because the API server does not list them: retries.policy.openservicemesh.io\n');
});

test('the Secrets of an agent that runs without a release are not deleted', async () => {
  await using cluster = await withOsm();
  await create(cluster, secretKind, { name: 'relay-client-tls-secret', namespace: NAMESPACE });
  const labels = { app: 'agent' };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'agent', image: 'agent' }] } };
  const spec = { selector: { matchLabels: labels }, template };
  await create(cluster, DEPLOYMENT, { name: 'meshrelay-agent', namespace: NAMESPACE }, { spec });
  const { code, stderr } = await uninstall(cluster, 'agent', '--purge', '--yes');
  assert.is(code, 1);
  assert.match(stderr, 'Deployment meshrelay/meshrelay-agent is there, and no release of Helm has it; delete it first');
  const key = { name: 'relay-client-tls-secret', namespace: NAMESPACE };
  assert.ok(await cluster.connection.objects(secretKind).read(key));
});

test('the Secrets and CRDs of a server are not deleted as those of an agent', async () => {
  await using cluster = await managementCluster();
  const kind = meshrelayKind('KubernetesCluster');
  await create(cluster, kind, { name: 'east', namespace: NAMESPACE }, { spec: {} });
  const before = JSON.stringify(cluster.sim.snapshot());
  const { code, stdout, stderr } = await uninstall(cluster, 'agent', '--purge', '--yes');
  assert.equal([code, stdout], [1, '']);
  assert.match(stderr, /is a management cluster: it has the KubernetesClusters east, so .* give the context of the/);
  assert.is(JSON.stringify(cluster.sim.snapshot()), before);
});

test.run();
