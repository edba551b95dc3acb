/** Pods: node, address and status. */
import { assert, test } from '@meshrelay/testing';
import { NODE, POD } from '../../src/controllers/kinds.ts';
import type { KubeObject } from '../../src/object.ts';
import { startCluster, type TestCluster } from './cluster-fixture.ts';

function pod(name: string, spec: object = {}, metadata: object = {}): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default', ...metadata },
    spec: { containers: [{ name: 'main', image: 'app:1' }], ...spec },
  };
}

const get = (cluster: TestCluster, name: string): KubeObject =>
  cluster.store.get(POD, { namespace: 'default', name }) as KubeObject;

test('a pod gets a node and an address, and runs', async () => {
  using cluster = await startCluster({ podCidr: '10.42.0.0/16', nodes: { cidr: '172.30.0.0/24' } });
  await cluster.apply(pod('one', { initContainers: [{ name: 'init', image: 'init:1' }] }));
  const { spec, status } = get(cluster, 'one') as { [field: string]: KubeObject['status'] };
  assert.equal([spec.nodeName, spec.serviceAccountName], ['node-1', 'default']);
  assert.match(status.podIP, /^10\.42\.\d+\.\d+$/);
  assert.equal([status.phase, status.hostIP, status.startTime], ['Running', '172.30.0.2', '2026-01-01T00:00:00Z']);
  assert.equal([status.podIPs, status.hostIPs], [[{ ip: status.podIP }], [{ ip: '172.30.0.2' }]]);
  const conditions = status.conditions.map(({ type, status }: { type: string; status: string }) => `${type}=${status}`);
  for (const type of ['PodScheduled', 'Initialized', 'ContainersReady', 'Ready'])
    assert.ok(conditions.includes(`${type}=True`));
  const [container] = status.containerStatuses;
  assert.equal(
    [container.name, container.image, container.ready, Object.keys(container.state)],
    ['main', 'app:1', true, ['running']],
  );
  assert.is(status.initContainerStatuses[0].state.terminated.reason, 'Completed');
  assert.equal(cluster.faults, []);
});

test('a pod has its requested address', async () => {
  using cluster = await startCluster({ podCidr: '10.42.0.0/16', nodes: { cidr: '172.30.0.0/24' } });
  const asking = { annotations: { 'cni.projectcalico.org/ipAddrs': '["127.77.0.11"]' } };
  await cluster.apply(pod('asks', {}, asking), pod('asks-not'));
  assert.is(get(cluster, 'asks')['status'].podIP, '127.77.0.11');
  assert.match(get(cluster, 'asks-not')['status'].podIP, /^10\.42\./);
});

test('no two pods share an address, even in a small range', async () => {
  using cluster = await startCluster({ podCidr: '10.9.0.0/27' });
  await cluster.apply(...Array.from({ length: 30 }, (_, at) => pod(`p${at}`)));
  const addresses = cluster.store.list(POD).map((each) => each['status'].podIP);
  assert.is(new Set(addresses).size, 30);
});

test('a range without a free address is reported as a fault, until one is released', async () => {
  using cluster = await startCluster({ podCidr: '10.9.0.0/30' });
  await cluster.apply(pod('a'), pod('b'), pod('c'));
  assert.match(cluster.faults.join(' '), 'Pod default/c: no address is left in 10.9.0.0/30');
  assert.is(get(cluster, 'c')['status'].podIP, undefined);
  const freed = get(cluster, 'a')['status'].podIP;
  cluster.store.delete(POD, { namespace: 'default', name: 'a' });
  await cluster.controllers.idle();
  assert.is(get(cluster, 'c')['status'].podIP, freed);
});

test('pods on the host network have the address of their node', async () => {
  using cluster = await startCluster();
  await cluster.apply(pod('host', { hostNetwork: true }), pod('other'));
  const { podIP, hostIP } = get(cluster, 'host')['status'];
  assert.is(podIP, hostIP);
  assert.not.equal(get(cluster, 'other')['status'].podIP, hostIP);
});

test('a pod is scheduled by its selector or node name, and waits until such a node exists', async () => {
  using cluster = await startCluster({ nodes: { count: 3, zones: ['a', 'b', 'c'] } });
  const inZone = { nodeSelector: { 'topology.kubernetes.io/zone': 'b' } };
  await cluster.apply(
    pod('zoned', inZone),
    pod('named', { nodeName: 'node-3' }),
    pod('waiting', { nodeSelector: { disk: 'ssd' } }),
  );
  assert.is(get(cluster, 'zoned')['spec'].nodeName, 'node-2');
  assert.is(get(cluster, 'named')['spec'].nodeName, 'node-3');
  const { phase, podIP, conditions } = get(cluster, 'waiting')['status'];
  assert.equal([phase, podIP, conditions[0].reason], ['Pending', undefined, 'Unschedulable']);
  await cluster.apply({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'fast', labels: { disk: 'ssd' } },
    spec: {},
  });
  assert.equal(
    [get(cluster, 'waiting')['spec'].nodeName, get(cluster, 'waiting')['status'].phase],
    ['fast', 'Running'],
  );
});

test('pods are not scheduled on unschedulable nodes', async () => {
  using cluster = await startCluster({ nodes: { count: 2 } });
  const node = cluster.store.get(NODE, { name: 'node-1' }) as KubeObject;
  cluster.store.update({ ...node, spec: { unschedulable: true } });
  await cluster.apply(...['a', 'b', 'c', 'd'].map((name) => pod(name)));
  assert.equal([...new Set(cluster.store.list(POD).map((each) => each['spec'].nodeName))], ['node-2']);
});

test('a pod that has ended stays unchanged', async () => {
  using cluster = await startCluster();
  await cluster.apply(pod('job'));
  const live = get(cluster, 'job');
  cluster.store.update({ ...live, status: { ...live['status'], phase: 'Succeeded' } }, { subresource: 'status' });
  await cluster.controllers.idle();
  assert.is(get(cluster, 'job')['status'].phase, 'Succeeded');
});

for (const [resources, expected] of [
  [{}, 'BestEffort'],
  [{ requests: { cpu: '1' } }, 'Burstable'],
  [{ limits: { cpu: '1', memory: '1Gi' } }, 'Guaranteed'],
] as const) {
  test(`quality of service is ${expected} for ${JSON.stringify(resources)}`, async () => {
    using cluster = await startCluster();
    await cluster.apply(pod('one', { containers: [{ name: 'main', image: 'app:1', resources }] }));
    assert.is(get(cluster, 'one')['status'].qosClass, expected);
  });
}

test.run();
