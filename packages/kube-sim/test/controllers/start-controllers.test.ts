/** The controllers together: a working cluster from manifests, the same in every run. */
import { join } from 'node:path';
import { assert, sharedPath, test } from '@meshrelay/testing';
import {
  CONFIG_MAP,
  DEPLOYMENT,
  ENDPOINT_SLICE,
  NAMESPACE,
  NODE,
  POD,
  REPLICA_SET,
  SERVICE,
  SERVICE_ACCOUNT,
} from '../../src/controllers/kinds.ts';
import { startControllers } from '../../src/controllers/start-controllers.ts';
import type { KubeObject } from '../../src/object.ts';
import {
  emptyStore,
  loadObjects,
  namespace,
  service,
  startCluster,
  type TestCluster,
  workload,
} from './cluster-fixture.ts';

test('nodes have addresses, zones in turn and a region', async () => {
  using cluster = await startCluster({
    nodes: { count: 3, namePrefix: 'worker', region: 'r1', zones: ['a', 'b'], cidr: '10.1.0.0/24' },
  });
  const nodes = cluster.store.list(NODE).map(({ metadata, status }) => {
    const { 'topology.kubernetes.io/region': region, 'topology.kubernetes.io/zone': zone } = metadata.labels ?? {};
    return [metadata.name, region, zone, status.addresses[0].address, status.conditions[0].status];
  });
  assert.equal(nodes, [
    ['worker-1', 'r1', 'a', '10.1.0.2', 'True'],
    ['worker-2', 'r1', 'b', '10.1.0.3', 'True'],
    ['worker-3', 'r1', 'a', '10.1.0.4', 'True'],
  ]);
});

test('every namespace has a default ServiceAccount and the root certificate; deleted ones are recreated', async () => {
  using cluster = await startCluster({ caCertificate: 'PEM' });
  await cluster.apply(namespace('one'));
  const accounts = () =>
    cluster.store.list(SERVICE_ACCOUNT).map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
  const certificates = () =>
    cluster.store.list(CONFIG_MAP).map(({ metadata, data }) => [metadata.namespace, metadata.name, data['ca.crt']]);
  assert.equal(accounts(), ['default/default', 'one/default']);
  assert.equal(certificates(), [
    ['default', 'kube-root-ca.crt', 'PEM'],
    ['one', 'kube-root-ca.crt', 'PEM'],
  ]);
  cluster.store.delete(SERVICE_ACCOUNT, { namespace: 'one', name: 'default' });
  const changed = cluster.store.get(CONFIG_MAP, { namespace: 'one', name: 'kube-root-ca.crt' }) as KubeObject;
  cluster.store.update({ ...changed, data: { 'ca.crt': 'other' } });
  await cluster.controllers.idle();
  assert.equal([accounts().length, certificates()[1]?.[2]], [2, 'PEM']);
});

test('a terminating namespace gets nothing, and that is not a fault', async () => {
  using cluster = await startCluster();
  await cluster.apply(namespace('gone'), {
    ...workload('Deployment', 'web'),
    metadata: { name: 'web', namespace: 'gone' },
  });
  cluster.store.delete(NAMESPACE, { name: 'gone' });
  for (const { metadata } of cluster.store.list(POD, 'gone')) {
    cluster.store.delete(POD, { namespace: 'gone', name: metadata.name });
  }
  await cluster.controllers.idle();
  assert.equal(cluster.names(POD, 'gone'), []);
  assert.equal(cluster.faults, []);
});

/** Fields that must be the same in every run: names, addresses, nodes and owners. */
function outcome(cluster: TestCluster): unknown {
  const pods = cluster.store.list(POD).map((pod) => [pod.metadata.name, pod['spec'].nodeName, pod['status'].podIP]);
  const services = cluster.store.list(SERVICE).map(({ metadata, status }) => [metadata.name, status.loadBalancer]);
  const slices = cluster.store
    .list(ENDPOINT_SLICE)
    .map(({ metadata, endpoints }) => [
      metadata.name,
      endpoints.map(({ addresses, zone }: { addresses: string[]; zone: string }) => [addresses, zone]),
    ]);
  return { pods, services, slices, sets: cluster.names(REPLICA_SET) };
}

test('the same manifests in any order make the same cluster', async () => {
  const options = { nodes: { count: 3, zones: ['a', 'b'] }, loadBalancerPool: '192.0.2.0/24' };
  const objects = [
    workload('Deployment', 'web', { replicas: 3 }),
    workload('StatefulSet', 'db', { replicas: 2 }),
    service('web', { type: 'LoadBalancer' }),
    service('db', { clusterIP: 'None' }),
  ];
  using first = await startCluster(options);
  await first.apply(...objects);
  using second = await startCluster(options);
  for (const object of objects.toReversed()) await second.apply(object);
  assert.equal(outcome(second), outcome(first));
});

test('controllers that start on a used store find their work', async () => {
  const store = emptyStore();
  store.create(workload('Deployment', 'web', { replicas: 2 }));
  store.create(service('web'));
  using first = startControllers(store);
  await first.idle();
  const before = store.list(POD).map(({ metadata }) => metadata.resourceVersion);
  assert.is(before.length, 2);
  first[Symbol.dispose]();
  using second = startControllers(store);
  await second.idle();
  assert.equal(
    store.list(POD).map(({ metadata }) => metadata.resourceVersion),
    before,
  );
});

test('after disposal nothing is done', async () => {
  const cluster = await startCluster();
  cluster.store.create(workload('Deployment', 'web'));
  cluster[Symbol.dispose]();
  await cluster.controllers.idle();
  assert.equal(cluster.names(REPLICA_SET), []);
  assert.is(cluster.controllers.busy, false);
});

const bookinfo = sharedPath('inputs', 'bookinfo', 'bookinfo.yaml');
const boutique = sharedPath('inputs', 'online-boutique', 'kubernetes-manifests.yaml');
const realTest = bookinfo === undefined || boutique === undefined ? test.skip : test;

realTest('Bookinfo and Online Boutique come alive from their own manifests', async () => {
  for (const file of [bookinfo, boutique] as string[]) {
    using cluster = await startCluster({ nodes: { count: 3 }, loadBalancerPool: '192.0.2.0/24' });
    await cluster.apply(...loadObjects(join(file)));
    assert.equal(cluster.faults, []);
    const deployments = cluster.store.list(DEPLOYMENT);
    assert.ok(deployments.length >= 6);
    for (const deployment of deployments) {
      assert.is(deployment['status'].availableReplicas, deployment['spec'].replicas, deployment.metadata.name);
    }
    const named = new Set(
      cluster.store
        .list(ENDPOINT_SLICE)
        .filter((slice) => slice['endpoints'].length > 0 && slice['ports'].length > 0)
        .map(({ metadata }) => metadata.labels?.['kubernetes.io/service-name']),
    );
    for (const name of cluster.names(SERVICE)) assert.ok(named.has(name), `${name} has endpoints`);
  }
});

test.run();
