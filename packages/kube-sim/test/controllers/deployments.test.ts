/** Deployments and ReplicaSets: pods are created, deleted and replaced. */
import { assert, test } from '@meshrelay/testing';
import { DEPLOYMENT, POD, REPLICA_SET } from '../../src/controllers/kinds.ts';
import type { KubeObject } from '../../src/object.ts';
import { startCluster, type TestCluster, template, workload } from './cluster-fixture.ts';

const status = (cluster: TestCluster, name = 'web'): KubeObject['status'] =>
  cluster.store.get(DEPLOYMENT, { namespace: 'default', name })?.['status'];

const images = (cluster: TestCluster): string[] =>
  cluster.store.list(POD).map((pod) => pod['spec'].containers[0].image as string);

test('a Deployment gets a ReplicaSet and that gets running pods', async () => {
  using cluster = await startCluster();
  await cluster.apply(workload('Deployment', 'web', { replicas: 2 }));
  const [set] = cluster.store.list(REPLICA_SET);
  const hash = set?.metadata.labels?.['pod-template-hash'];
  assert.is(set?.metadata.name, `web-${hash}`);
  assert.equal(set?.['spec'].selector.matchLabels, { app: 'web', 'pod-template-hash': hash });
  assert.equal(
    set?.metadata.ownerReferences?.map(({ kind, name, controller }) => [kind, name, controller]),
    [['Deployment', 'web', true]],
  );
  const pods = cluster.store.list(POD);
  assert.is(pods.length, 2);
  for (const pod of pods) {
    assert.match(pod.metadata.name, new RegExp(`^web-${hash}-[bcdfghjklmnpqrstvwxz2456789]{5}$`));
    assert.is(pod.metadata.generateName, `web-${hash}-`);
    assert.equal(pod.metadata.labels, { app: 'web', 'pod-template-hash': hash });
    assert.is(pod.metadata.ownerReferences?.[0]?.uid, set?.metadata.uid);
  }
  const { conditions, ...numbers } = status(cluster) ?? {};
  assert.equal(numbers, {
    observedGeneration: 1,
    replicas: 2,
    updatedReplicas: 2,
    readyReplicas: 2,
    availableReplicas: 2,
  });
  assert.equal(
    conditions.map(({ type, status, reason }: { type: string; status: string; reason: string }) => [
      type,
      status,
      reason,
    ]),
    [
      ['Available', 'True', 'MinimumReplicasAvailable'],
      ['Progressing', 'True', 'NewReplicaSetAvailable'],
    ],
  );
  assert.equal(cluster.faults, []);
});

test('scaling adds and removes pods, and keeps the others', async () => {
  using cluster = await startCluster();
  await cluster.apply(workload('Deployment', 'web', { replicas: 2 }));
  const before = cluster.store.list(POD).map(({ metadata }) => metadata.uid);
  await cluster.patchSpec(DEPLOYMENT, 'web', { replicas: 5 });
  const more = cluster.store.list(POD).map(({ metadata }) => metadata.uid);
  assert.is(more.length, 5);
  assert.ok(before.every((uid) => more.includes(uid)));
  await cluster.patchSpec(DEPLOYMENT, 'web', { replicas: 2 });
  assert.equal(
    cluster.store
      .list(POD)
      .map(({ metadata }) => metadata.uid)
      .sort(),
    before.sort(),
  );
  await cluster.patchSpec(DEPLOYMENT, 'web', { replicas: 0 });
  assert.equal(cluster.names(POD), []);
  assert.is(cluster.names(REPLICA_SET).length, 1);
});

test('a new template replaces every pod, never with too few or too many', async () => {
  using cluster = await startCluster();
  await cluster.apply(workload('Deployment', 'web', { replicas: 4 }));
  const ready = new Set(cluster.names(POD));
  const [counts, total] = [[] as number[], [] as number[]];
  using _watch = cluster.store.watch(POD, ({ type, object }) => {
    const isReady = type !== 'DELETED' && object['status']?.phase === 'Running';
    if (isReady) ready.add(object.metadata.name);
    else ready.delete(object.metadata.name);
    counts.push(ready.size);
    total.push(cluster.store.list(POD).length);
  });
  await cluster.patchSpec(DEPLOYMENT, 'web', { template: template('web', 'app:2') });
  assert.equal(images(cluster), ['app:2', 'app:2', 'app:2', 'app:2']);
  assert.ok(Math.min(...counts) >= 3, `at least 3 of 4 were ready: ${counts}`);
  assert.ok(Math.max(...total) <= 5, `at most 5 existed: ${total}`);
  const sets = cluster.store.list(REPLICA_SET).map((set) => set['spec'].replicas as number);
  assert.equal(sets.sort(), [0, 4]);
  assert.is(status(cluster)?.updatedReplicas, 4);
});

test('Recreate removes all old pods before the first new one', async () => {
  using cluster = await startCluster();
  await cluster.apply(workload('Deployment', 'web', { replicas: 3, strategy: { type: 'Recreate' } }));
  const seen: string[] = [];
  using _watch = cluster.store.watch(POD, ({ type }) => {
    const kinds = [...new Set(images(cluster))].sort().join('+');
    if (type !== 'MODIFIED') seen.push(kinds);
  });
  await cluster.patchSpec(DEPLOYMENT, 'web', { template: template('web', 'app:2') });
  assert.equal(images(cluster), ['app:2', 'app:2', 'app:2']);
  assert.not.ok(seen.includes('app:1+app:2'), seen.join(' '));
});

test('going back to an earlier template reuses its ReplicaSet as the newest revision', async () => {
  using cluster = await startCluster();
  await cluster.apply(workload('Deployment', 'web'));
  const [first] = cluster.names(REPLICA_SET);
  await cluster.patchSpec(DEPLOYMENT, 'web', { template: template('web', 'app:2') });
  await cluster.patchSpec(DEPLOYMENT, 'web', { template: template('web', 'app:1') });
  const set = cluster.store.get(REPLICA_SET, { namespace: 'default', name: first ?? '' });
  assert.is(set?.['spec'].replicas, 1);
  assert.is(set?.metadata.annotations?.['deployment.kubernetes.io/revision'], '3');
  const live = cluster.store.get(DEPLOYMENT, { namespace: 'default', name: 'web' });
  assert.is(live?.metadata.annotations?.['deployment.kubernetes.io/revision'], '3');
});

test('old ReplicaSets are kept up to revisionHistoryLimit', async () => {
  using cluster = await startCluster();
  await cluster.apply(workload('Deployment', 'web', { revisionHistoryLimit: 2 }));
  for (const version of [2, 3, 4, 5]) {
    await cluster.patchSpec(DEPLOYMENT, 'web', { template: template('web', `app:${version}`) });
  }
  assert.is(cluster.names(REPLICA_SET).length, 3);
});

test('a paused Deployment does not roll out until it is resumed', async () => {
  using cluster = await startCluster();
  await cluster.apply(workload('Deployment', 'web'));
  await cluster.patchSpec(DEPLOYMENT, 'web', { paused: true, template: template('web', 'app:2') });
  assert.equal(images(cluster), ['app:1']);
  assert.is(status(cluster)?.observedGeneration, 2);
  await cluster.patchSpec(DEPLOYMENT, 'web', { paused: false });
  assert.equal(images(cluster), ['app:2']);
});

test('a deleted pod is replaced by a new one', async () => {
  using cluster = await startCluster();
  await cluster.apply(workload('Deployment', 'web', { replicas: 2 }));
  const [pod] = cluster.store.list(POD);
  cluster.store.delete(POD, { namespace: 'default', name: pod?.metadata.name ?? '' });
  await cluster.controllers.idle();
  const uids = cluster.store.list(POD).map(({ metadata }) => metadata.uid);
  assert.is(uids.length, 2);
  assert.not.ok(uids.includes(pod?.metadata.uid));
  assert.is(status(cluster)?.readyReplicas, 2);
});

test('pods without a suitable node leave the Deployment unavailable', async () => {
  using cluster = await startCluster({ nodes: { count: 0 } });
  await cluster.apply(workload('Deployment', 'web', { replicas: 2 }));
  const { availableReplicas, unavailableReplicas, conditions } = status(cluster) ?? {};
  assert.equal([availableReplicas, unavailableReplicas], [undefined, 2]);
  assert.is(conditions[0].status, 'False');
});

test('reconciling again changes nothing', async () => {
  using cluster = await startCluster();
  await cluster.apply(workload('Deployment', 'web', { replicas: 3 }));
  const versions = () =>
    [DEPLOYMENT, REPLICA_SET, POD].flatMap((kind) =>
      cluster.store.list(kind).map(({ metadata }) => metadata.resourceVersion),
    );
  const before = versions();
  const live = cluster.store.get(DEPLOYMENT, { namespace: 'default', name: 'web' }) as KubeObject;
  cluster.store.update({ ...live, metadata: { ...live.metadata, labels: { touched: 'yes' } } });
  await cluster.controllers.idle();
  assert.equal(versions().slice(1), before.slice(1));
});

test.run();
