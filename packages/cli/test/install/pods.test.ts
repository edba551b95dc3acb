/** What an installation waits for, from the statuses of its pods. */

import { DEPLOYMENT } from '@meshrelay/relay-core';
import { assert, test } from '@meshrelay/testing';
import { describeRollout, rolloutOf, waitForPods } from '../../src/install/pods.ts';
import { NAMESPACE, type TestCluster, workloadCluster } from '../support/clusters.ts';

const LABELS = { 'app.kubernetes.io/name': 'meshrelay-agent' };
const POD = { group: '', version: 'v1', kind: 'Pod', plural: 'pods', namespaced: true } as const;

async function withDeployment(replicas: number): Promise<TestCluster> {
  const cluster = await workloadCluster();
  const metadata = { name: 'meshrelay-agent', namespace: NAMESPACE };
  const template = { metadata: { labels: LABELS }, spec: { containers: [{ name: 'agent', image: 'agent' }] } };
  const namespaces = { group: '', version: 'v1', kind: 'Namespace', plural: 'namespaces', namespaced: false } as const;
  await cluster.connection
    .objects(namespaces)
    .create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE }, spec: {} });
  await cluster.connection.objects(DEPLOYMENT).create({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata,
    spec: { replicas, selector: { matchLabels: LABELS }, template },
  });
  return cluster;
}

async function addPod(cluster: TestCluster, name: string, status: object, labels: object = LABELS): Promise<void> {
  const metadata = { name, namespace: NAMESPACE, labels: labels as Record<string, string> };
  const spec = { containers: [{ name: 'agent', image: 'agent' }] };
  await cluster.connection.objects(POD).create({ apiVersion: 'v1', kind: 'Pod', metadata, spec });
  await setStatus(cluster, 'pods', name, status);
}

async function setStatus(cluster: TestCluster, plural: string, name: string, status: object): Promise<void> {
  const group = plural === 'pods' ? '/api/v1' : '/apis/apps/v1';
  await cluster.connection.request({
    what: `patch status of ${name}`,
    method: 'PATCH',
    path: `${group}/namespaces/${NAMESPACE}/${plural}/${name}/status`,
    contentType: 'application/merge-patch+json',
    body: { status },
  });
}

const place = ({ connection }: TestCluster) => ({ connection, namespace: NAMESPACE, deployment: 'meshrelay-agent' });

test('each pod that is not ready is named with its reason', async () => {
  await using cluster = await withDeployment(4);
  const unscheduled = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/1 nodes: memory' };
  await addPod(cluster, 'a', { phase: 'Pending', conditions: [unscheduled] });
  const pulling = { waiting: { reason: 'ImagePullBackOff', message: 'no such image' } };
  await addPod(cluster, 'b', { phase: 'Pending', containerStatuses: [container({ state: pulling })] });
  const state = { waiting: { reason: 'CrashLoopBackOff' } };
  const lastState = { terminated: { exitCode: 1 } };
  await addPod(cluster, 'c', { phase: 'Running', containerStatuses: [container({ state, lastState })] });
  await addPod(cluster, 'd', { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] });
  await addPod(cluster, 'other', { phase: 'Pending' }, { app: 'other' });
  const rollout = await rolloutOf(place(cluster));
  assert.equal(rollout, {
    ready: 0,
    desired: 4,
    done: false,
    reasons: [
      'pod a: Unschedulable: 0/1 nodes: memory',
      'pod b: container agent: ImagePullBackOff: no such image',
      'pod c: container agent: CrashLoopBackOff, exit code 1: kubectl logs c -c agent',
    ],
  });
  assert.match(describeRollout(rollout), /^0 of 4 pods are available; pod a: Unschedulable/);
});

test('it waits until the newest pods are available, and says once what is missing', async () => {
  await using cluster = await withDeployment(1);
  const said: string[] = [];
  const waiting = (text: string): void => {
    said.push(text);
    void setStatus(cluster, 'deployments', 'meshrelay-agent', {
      ...{ observedGeneration: 1, replicas: 1, updatedReplicas: 1, availableReplicas: 1 },
    });
  };
  assert.is(await waitForPods({ ...place(cluster), timeout: 10_000, waiting }), 1);
  assert.equal(said, ['0 of 1 pods are available']);
});

test('after the timeout it reports what is missing', async () => {
  await using cluster = await withDeployment(1);
  const waited = waitForPods({ ...place(cluster), timeout: 0, waiting: () => undefined });
  const error = await waited.then(
    () => undefined,
    (cause: Error) => cause.message,
  );
  assert.match(
    error ?? '',
    /Deployment meshrelay\/meshrelay-agent is available: 0 of 1 pods are available; kubectl -n/,
  );
});

function container(more: object): object {
  return { name: 'agent', image: 'agent', imageID: '', ready: false, restartCount: 1, ...more };
}

test.run();
