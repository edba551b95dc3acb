/** `meshctl approve`: approves exactly the deletions that it listed. */
import type { HeldDeletions, KubeObject } from '@meshrelay/api';
import { meshrelayKind } from '@meshrelay/kube';
import { APPROVE_ANNOTATION, CHANGED_BY_ANNOTATION, REQUEST_ANNOTATION } from '@meshrelay/relay-core';
import { assert, test } from '@meshrelay/testing';
import { managementCluster, NAMESPACE, type TestCluster } from '../support/clusters.ts';
import { meshctlOnline } from '../support/run-online.ts';

const output = (name: string) => ({ group: 'networking.istio.io', kind: 'VirtualService', namespace: 'shop', name });
const HELD: HeldDeletions = { digest: 'd1', count: 70, outputs: [output('a'), output('b')] };

async function holding(management: TestCluster): Promise<void> {
  const clusters = management.connection.objects(meshrelayKind('KubernetesCluster'));
  for (const name of ['east', 'west'])
    await clusters.create({
      apiVersion: 'multicluster.meshrelay.dev/v1alpha1',
      kind: 'KubernetesCluster',
      metadata: { name, namespace: NAMESPACE },
      spec: {},
    } as KubeObject);
  await clusters.applyStatus(
    { name: 'east', namespace: NAMESPACE },
    { heldDeletions: HELD },
    { fieldManager: 'test', force: true },
  );
}

const run = (management: TestCluster, ...args: readonly string[]) =>
  meshctlOnline(['approve', ...args, '--mgmt-kubeconfig', management.kubeconfig], management.folder);
const read = (management: TestCluster, name: string) =>
  management.connection.objects(meshrelayKind('KubernetesCluster')).read({ name, namespace: NAMESPACE });

test('--list shows held deletions and approves none', async () => {
  await using management = await managementCluster();
  await holding(management);
  const { code, stdout } = await run(management, '--list');
  assert.is(code, 0);
  assert.match(stdout, 'east: 70 objects would be deleted, digest d1');
  assert.match(stdout, /VirtualService\.networking\.istio\.io +shop +a\n/);
  assert.match(stdout, 'and 68 more');
  assert.not.match(stdout, 'west');
  assert.is((await read(management, 'east'))?.metadata.annotations, undefined);
});

test('approves exactly the held deletions, with the requester and a request id', async () => {
  await using management = await managementCluster();
  await holding(management);
  const { code, stdout, stderr } = await run(management, 'east', '--timeout', '0s');
  assert.is(code, 0, stderr);
  assert.match(stdout, 'approved: these 70 objects of east');
  const { annotations = {} } = (await read(management, 'east'))?.metadata ?? {};
  assert.is(annotations[APPROVE_ANNOTATION], 'd1');
  assert.match(annotations[CHANGED_BY_ANNOTATION] ?? '', / by meshctl$/);
  assert.match(annotations[REQUEST_ANNOTATION] ?? '', /^[0-9a-f-]{36}$/);
});

test('rejects another digest than the held one, a cluster without held deletions, and an unknown one', async () => {
  await using management = await managementCluster();
  await holding(management);
  const other = await run(management, 'east', '--digest', 'd0');
  assert.is(other.code, 2);
  assert.match(other.stdout, 'have digest d1, not d0');
  const nothing = await run(management, 'west');
  assert.equal([nothing.code, nothing.stdout], [2, 'no deletions are held in west\n']);
  const noCaller = await run(management, 'north');
  assert.is(noCaller.code, 1);
  assert.match(noCaller.stderr, 'cluster north is not registered');
  const which = await run(management);
  assert.is(which.code, 1);
  assert.match(which.stderr, 'give a cluster');
  assert.is((await read(management, 'east'))?.metadata.annotations, undefined);
});

test.run();
