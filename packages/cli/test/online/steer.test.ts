/** suspend, resume, pause, deregister: what they leave in the management cluster, and what they say. */
import type { KubeObject, KubernetesClusterStatus } from '@meshrelay/api';
import { ourKind } from '@meshrelay/kube';
import { CHANGED_BY_ANNOTATION } from '@meshrelay/relay-core';
import { assert, test } from '@meshrelay/testing';
import { managementCluster, NAMESPACE, type TestCluster } from '../support/clusters.ts';
import { meshctlHere } from '../support/run.ts';

async function registered(state: string): Promise<TestCluster> {
  const management = await managementCluster();
  const clusters = management.connection.objects(ourKind('KubernetesCluster'));
  await clusters.create({
    apiVersion: 'multicluster.meshrelay.dev/v1alpha1',
    kind: 'KubernetesCluster',
    metadata: { name: 'east', namespace: NAMESPACE },
    spec: { clusterDomain: 'east.example' },
  } as KubeObject);
  const status = { state } as KubernetesClusterStatus;
  await clusters.applyStatus({ name: 'east', namespace: NAMESPACE }, status, { fieldManager: 'test', force: true });
  return management;
}

const run = (management: TestCluster, ...args: readonly string[]) =>
  meshctlHere([...args, '--mgmt-kubeconfig', management.kubeconfig], management.folder);
const read = (management: TestCluster, kind: 'KubernetesCluster' | 'Settings', name: string) =>
  management.connection.objects(ourKind(kind)).read({ name, namespace: NAMESPACE });

test('suspend and resume change the registration and nothing else, with a note of who', async () => {
  await using management = await registered('CONNECTED');
  assert.is((await run(management, 'cluster', 'suspend', 'east')).stdout, 'east is suspended now\n');
  const suspended = await read(management, 'KubernetesCluster', 'east');
  assert.equal(suspended?.spec, { clusterDomain: 'east.example', suspended: true });
  assert.ok(suspended?.metadata.annotations?.[CHANGED_BY_ANNOTATION]);
  assert.is((await run(management, 'cluster', 'suspend', 'east')).stdout, 'east is already suspended\n');
  assert.is((await run(management, 'cluster', 'resume', 'east')).stdout, 'east is not suspended now\n');
  const unknown = await run(management, 'cluster', 'suspend', 'west');
  assert.is(unknown.code, 1);
  assert.match(unknown.stderr, 'cluster west is not registered');
});

test('pause is of one cluster, or of the fleet, whose Settings it makes', async () => {
  await using management = await registered('CONNECTED');
  await run(management, 'pause', 'east');
  assert.equal((await read(management, 'KubernetesCluster', 'east'))?.spec, {
    clusterDomain: 'east.example',
    paused: true,
  });
  assert.is((await run(management, 'resume')).stdout, 'the outputs of all clusters are already not paused\n');
  assert.is(await read(management, 'Settings', 'settings'), undefined);
  assert.is((await run(management, 'pause')).stdout, 'the outputs of all clusters are paused now\n');
  assert.equal((await read(management, 'Settings', 'settings'))?.spec, { paused: true });
  await run(management, 'resume');
  assert.equal((await read(management, 'Settings', 'settings'))?.spec, { paused: false });
});

test('deregister drains first, and does not begin where nobody could drain', async () => {
  await using away = await registered('DISCONNECTED');
  const refused = await run(away, 'cluster', 'deregister', 'east');
  assert.is(refused.code, 1);
  assert.match(refused.stderr, 'or leave everything there by --mode orphan');
  assert.equal((await read(away, 'KubernetesCluster', 'east'))?.spec, { clusterDomain: 'east.example' });

  await using drained = await registered('DRAINED');
  const done = await run(drained, 'cluster', 'deregister', 'east');
  assert.is(done.code, 0, done.stderr);
  assert.match(done.stdout, 'everything of ours is removed from it');
  assert.is(await read(drained, 'KubernetesCluster', 'east'), undefined);

  await using stuck = await registered('DRAINING');
  const waited = await run(stuck, 'cluster', 'deregister', 'east', '--timeout', '100ms');
  assert.is(waited.code, 1);
  assert.match(waited.stderr, 'it goes on draining');
  assert.ok(await read(stuck, 'KubernetesCluster', 'east'), 'still registered');
});

test('orphan and force leave what the cluster has, and say how to find it', async () => {
  for (const mode of ['orphan', 'force']) {
    await using management = await registered('DISCONNECTED');
    const { code, stdout } = await run(management, 'cluster', 'deregister', 'east', '--mode', mode);
    assert.is(code, 0);
    assert.match(stdout, '-l meshrelay.dev/owner=meshrelay');
    assert.is(await read(management, 'KubernetesCluster', 'east'), undefined);
  }
});

test.run();
