/** StatefulSets and DaemonSets. */
import { assert, test } from '@meshrelay/testing';
import { DAEMON_SET, NODE, POD, STATEFUL_SET } from '../../src/controllers/kinds.ts';
import { startCluster, template, workload } from './cluster-fixture.ts';

test('a StatefulSet creates numbered pods in order', async () => {
  using cluster = await startCluster();
  const created: string[] = [];
  using _watch = cluster.store.watch(POD, ({ type, object }) => {
    if (type === 'ADDED') created.push(object.metadata.name);
  });
  await cluster.apply(workload('StatefulSet', 'db', { replicas: 3, serviceName: 'db' }));
  assert.equal(created, ['db-0', 'db-1', 'db-2']);
  const pod = cluster.store.get(POD, { namespace: 'default', name: 'db-1' });
  assert.equal([pod?.['spec'].hostname, pod?.['spec'].subdomain], ['db-1', 'db']);
  assert.is(pod?.metadata.labels?.['apps.kubernetes.io/pod-index'], '1');
  assert.is(pod?.metadata.labels?.['statefulset.kubernetes.io/pod-name'], 'db-1');
  const status = cluster.store.get(STATEFUL_SET, { namespace: 'default', name: 'db' })?.['status'];
  assert.equal([status.replicas, status.readyReplicas, status.updatedReplicas, status.currentReplicas], [3, 3, 3, 3]);
  assert.is(status.currentRevision, status.updateRevision);
  assert.equal(cluster.faults, []);
});

test('a StatefulSet shrinks from the top', async () => {
  using cluster = await startCluster();
  await cluster.apply(workload('StatefulSet', 'db', { replicas: 3 }));
  await cluster.patchSpec(STATEFUL_SET, 'db', { replicas: 1 });
  assert.equal(cluster.names(POD), ['db-0']);
});

test('a StatefulSet replaces outdated pods from the top, down to its partition', async () => {
  using cluster = await startCluster();
  await cluster.apply(workload('StatefulSet', 'db', { replicas: 3 }));
  const gone: string[] = [];
  using _watch = cluster.store.watch(POD, ({ type, object }) => {
    if (type === 'DELETED') gone.push(object.metadata.name);
  });
  const updateStrategy = { type: 'RollingUpdate', rollingUpdate: { partition: 1 } };
  await cluster.patchSpec(STATEFUL_SET, 'db', { updateStrategy, template: template('db', 'app:2') });
  assert.equal(gone, ['db-2', 'db-1']);
  assert.equal(
    cluster.store.list(POD).map((pod) => pod['spec'].containers[0].image),
    ['app:1', 'app:2', 'app:2'],
  );
});

test('a Parallel StatefulSet starts at its configured ordinal', async () => {
  using cluster = await startCluster({ nodes: { count: 0 } });
  await cluster.apply(
    workload('StatefulSet', 'db', { replicas: 2, podManagementPolicy: 'Parallel', ordinals: { start: 5 } }),
  );
  assert.equal(cluster.names(POD), ['db-5', 'db-6']);
});

test('an ordered StatefulSet waits for each pod to be ready', async () => {
  using cluster = await startCluster({ nodes: { count: 0 } });
  await cluster.apply(workload('StatefulSet', 'db', { replicas: 2 }));
  assert.equal(cluster.names(POD), ['db-0']);
});

test('a StatefulSet mounts the claims of its templates', async () => {
  using cluster = await startCluster();
  const claim = { metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'] } };
  await cluster.apply(workload('StatefulSet', 'db', { volumeClaimTemplates: [claim] }));
  const pod = cluster.store.get(POD, { namespace: 'default', name: 'db-0' });
  assert.equal(pod?.['spec'].volumes, [{ name: 'data', persistentVolumeClaim: { claimName: 'data-db-0' } }]);
});

test('a DaemonSet has a pod on each node that its selector allows', async () => {
  using cluster = await startCluster({ nodes: { count: 4, zones: ['a', 'b'] } });
  const picky = template('agent') as { spec: object };
  const spec = { ...picky.spec, nodeSelector: { 'topology.kubernetes.io/zone': 'b' } };
  await cluster.apply(workload('DaemonSet', 'all'), workload('DaemonSet', 'agent', { template: { ...picky, spec } }));
  const nodesOf = (app: string) =>
    cluster.store
      .list(POD)
      .filter(({ metadata }) => metadata.labels?.['app'] === app)
      .map((pod) => pod['spec'].nodeName)
      .sort();
  assert.equal(nodesOf('all'), ['node-1', 'node-2', 'node-3', 'node-4']);
  assert.equal(nodesOf('agent'), ['node-2', 'node-4']);
  const status = cluster.store.get(DAEMON_SET, { namespace: 'default', name: 'all' })?.['status'];
  assert.equal([status.desiredNumberScheduled, status.currentNumberScheduled, status.numberReady], [4, 4, 4]);
  assert.equal(cluster.faults, []);
});

test('a DaemonSet follows its template and the nodes', async () => {
  using cluster = await startCluster({ nodes: { count: 2 } });
  await cluster.apply(workload('DaemonSet', 'agent'));
  await cluster.patchSpec(DAEMON_SET, 'agent', { template: template('agent', 'app:2') });
  assert.equal(
    cluster.store.list(POD).map((pod) => pod['spec'].containers[0].image),
    ['app:2', 'app:2'],
  );
  await cluster.apply({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'extra' }, spec: {} });
  assert.is(cluster.names(POD).length, 3);
  cluster.store.delete(NODE, { name: 'extra' });
  await cluster.controllers.idle();
  assert.is(cluster.names(POD).length, 2);
});

test.run();
