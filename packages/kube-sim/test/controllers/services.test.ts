/** Services: LoadBalancer addresses and EndpointSlices. */
import { assert, test } from '@meshrelay/testing';
import { DEPLOYMENT, ENDPOINT_SLICE, POD, SERVICE } from '../../src/controllers/kinds.ts';
import type { KubeObject } from '../../src/object.ts';
import { service, startCluster, type TestCluster, template, workload } from './cluster-fixture.ts';

const slices = (cluster: TestCluster, name = 'web'): KubeObject[] =>
  cluster.store.list(ENDPOINT_SLICE).filter(({ metadata }) => metadata.labels?.['kubernetes.io/service-name'] === name);

const addresses = (cluster: TestCluster, name = 'web'): string[] =>
  slices(cluster, name).flatMap((slice) =>
    slice['endpoints'].flatMap((each: { addresses: string[] }) => each.addresses),
  );

test('a Service lists its pods: address, node, zone and port by name', async () => {
  using cluster = await startCluster({ nodes: { count: 1, zones: ['z1'] } });
  await cluster.apply(workload('Deployment', 'web', { replicas: 2 }), service('web'));
  const [slice] = slices(cluster);
  assert.equal([slice?.['addressType'], slice?.['ports']], ['IPv4', [{ name: 'http', protocol: 'TCP', port: 8080 }]]);
  assert.is(slice?.metadata.labels?.['endpointslice.kubernetes.io/managed-by'], 'endpointslice-controller.k8s.io');
  assert.equal(
    slice?.metadata.ownerReferences?.map(({ kind, name }) => [kind, name]),
    [['Service', 'web']],
  );
  const pods = cluster.store.list(POD);
  assert.equal(
    slice?.['endpoints'],
    pods.map((pod) => ({
      addresses: [pod['status'].podIP],
      conditions: { ready: true, serving: true, terminating: false },
      nodeName: 'node-1',
      targetRef: { kind: 'Pod', namespace: 'default', name: pod.metadata.name, uid: pod.metadata.uid },
      zone: 'z1',
    })),
  );
  assert.equal(cluster.faults, []);
});

test('endpoints follow the pods', async () => {
  using cluster = await startCluster();
  await cluster.apply(service('web'), workload('Deployment', 'web', { replicas: 3 }));
  assert.is(addresses(cluster).length, 3);
  await cluster.patchSpec(DEPLOYMENT, 'web', { replicas: 1 });
  assert.is(addresses(cluster).length, 1);
  await cluster.patchSpec(DEPLOYMENT, 'web', { replicas: 0 });
  assert.equal(addresses(cluster), []);
  assert.is(slices(cluster).length, 1, 'an empty slice stays');
});

test('a pod whose labels change leaves one Service for another', async () => {
  using cluster = await startCluster();
  await cluster.apply(service('web'), service('other'), {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', namespace: 'default', labels: { app: 'web' } },
    spec: (template('web') as { spec: object }).spec,
  });
  const pod = cluster.store.get(POD, { namespace: 'default', name: 'p' }) as KubeObject;
  cluster.store.update({ ...pod, metadata: { ...pod.metadata, labels: { app: 'other' } } });
  await cluster.controllers.idle();
  assert.equal([addresses(cluster), addresses(cluster, 'other')], [[], [pod['status'].podIP]]);
});

test('pods that name their port differently get a slice each', async () => {
  using cluster = await startCluster();
  const labels = { app: 'web' };
  const pod = (name: string, containerPort: number): KubeObject => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default', labels },
    spec: { containers: [{ name: 'main', image: 'i', ports: [{ name: 'http', containerPort }] }] },
  });
  await cluster.apply(service('web'), pod('a', 8080), pod('b', 9090), pod('c', 8080));
  const found = slices(cluster).map((slice) => [slice['ports'][0].port, slice['endpoints'].length]);
  assert.equal(found.sort(), [
    [8080, 2],
    [9090, 1],
  ]);
});

test('a slice holds at most a hundred endpoints', async () => {
  using cluster = await startCluster();
  await cluster.apply(service('web'), workload('ReplicaSet', 'web', { replicas: 130 }));
  assert.equal(
    slices(cluster)
      .map((slice) => slice['endpoints'].length)
      .sort(),
    [100, 30],
  );
  assert.is(new Set(addresses(cluster)).size, 130);
});

test('pods that are not ready are listed as such, or as ready if the Service requests it', async () => {
  using cluster = await startCluster();
  await cluster.apply(
    service('web'),
    service('eager', { selector: { app: 'web' }, publishNotReadyAddresses: true }),
    workload('ReplicaSet', 'web'),
  );
  const [pod] = cluster.store.list(POD) as [KubeObject];
  // No simulated pod ever fails, so the test replaces the controllers.
  cluster[Symbol.dispose]();
  const conditions = [{ type: 'Ready', status: 'False' }];
  cluster.store.update({ ...pod, status: { ...pod['status'], conditions } }, { subresource: 'status' });
  const { startEndpointSlices } = await import('../../src/controllers/endpoint-slices.ts');
  using controller = startEndpointSlices(cluster.store);
  await controller.idle();
  const ready = (name: string): boolean[] =>
    slices(cluster, name)[0]?.['endpoints'].map((each: KubeObject) => each['conditions'].ready);
  assert.equal([ready('web'), ready('eager')], [[false], [true]]);
});

test('Services without a selector, and external names, get no slices', async () => {
  using cluster = await startCluster();
  const { spec: _, ...plain } = service('external');
  const bare = { ...service('bare'), spec: { ports: [{ port: 80 }] } };
  await cluster.apply(bare, { ...plain, spec: { type: 'ExternalName', externalName: 'example.com' } } as KubeObject);
  assert.equal(cluster.names(ENDPOINT_SLICE), []);
});

test('slices are deleted with their Service, and a deleted slice is recreated', async () => {
  using cluster = await startCluster();
  await cluster.apply(service('web'), workload('ReplicaSet', 'web'));
  const [name = ''] = cluster.names(ENDPOINT_SLICE);
  cluster.store.delete(ENDPOINT_SLICE, { namespace: 'default', name });
  await cluster.controllers.idle();
  assert.equal(cluster.names(ENDPOINT_SLICE), [name]);
  cluster.store.delete(SERVICE, { namespace: 'default', name: 'web' });
  await cluster.controllers.idle();
  assert.equal(cluster.names(ENDPOINT_SLICE), []);
});

test('slices of other managers stay unchanged', async () => {
  using cluster = await startCluster();
  const foreign: KubeObject = {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: 'mine', namespace: 'default', labels: { 'kubernetes.io/service-name': 'web' } },
    addressType: 'IPv4',
    endpoints: [],
    ports: [],
  };
  await cluster.apply(foreign, service('web'));
  assert.ok(cluster.names(ENDPOINT_SLICE).includes('mine'));
});

test('a headless Service marks its slices, and its StatefulSet pods have host names', async () => {
  using cluster = await startCluster();
  await cluster.apply(service('db', { clusterIP: 'None' }), workload('StatefulSet', 'db', { serviceName: 'db' }));
  const [slice] = slices(cluster, 'db');
  assert.is(slice?.metadata.labels?.['service.kubernetes.io/headless'], '');
  assert.is(slice?.['endpoints'][0].hostname, 'db-0');
});

const ingress = (cluster: TestCluster, name: string): unknown =>
  cluster.store.get(SERVICE, { namespace: 'default', name })?.['status'].loadBalancer.ingress;

test('a LoadBalancer gets an address of the pool, and loses it with its type', async () => {
  using cluster = await startCluster({ loadBalancerPool: '192.0.2.0/28' });
  await cluster.apply(
    service('web', { type: 'LoadBalancer' }),
    service('asked', { type: 'LoadBalancer', loadBalancerIP: '192.0.2.9' }),
    service('plain'),
  );
  assert.match((ingress(cluster, 'web') as { ip: string }[])[0]?.ip as string, /^192\.0\.2\.\d+$/);
  assert.equal(ingress(cluster, 'asked'), [{ ip: '192.0.2.9', ipMode: 'VIP' }]);
  assert.is(ingress(cluster, 'plain'), undefined);
  await cluster.patchSpec(SERVICE, 'web', { type: 'ClusterIP' });
  assert.is(ingress(cluster, 'web'), undefined);
  assert.equal(cluster.faults, []);
});

test('without a pool a LoadBalancer stays pending', async () => {
  using cluster = await startCluster();
  await cluster.apply(service('web', { type: 'LoadBalancer' }));
  assert.is(ingress(cluster, 'web'), undefined);
});

test.run();
