/** Istio's sidecar in new pods: which pods get it, and its content. */
import { assert, test } from '@meshrelay/testing';
import { NAMESPACE, POD } from '../../src/controllers/kinds.ts';
import { injectSidecar } from '../../src/controllers/sidecar-injection.ts';
import type { KubeObject } from '../../src/object.ts';
import { namespace, startCluster, workload } from './cluster-fixture.ts';

const inject = injectSidecar({ version: '1.28.0', revisions: { canary: '1.29.1' }, clusterName: 'c1', network: 'n1' });

function pod(metadata: object = {}, spec: object = {}): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', namespace: 'ns', ...metadata },
    spec: { containers: [{ name: 'main', image: 'app:1' }], ...spec },
  };
}

const containers = (object: KubeObject): string[] =>
  object['spec'].containers.map(({ name }: { name: string }) => name);
const enabled = namespace('ns', { 'istio-injection': 'enabled' });

const rules: [name: string, pod: KubeObject, namespace: KubeObject | undefined, injected: boolean][] = [
  ['a labelled namespace', pod(), enabled, true],
  ['a namespace with a revision', pod(), namespace('ns', { 'istio.io/rev': 'canary' }), true],
  ['a plain namespace', pod(), namespace('ns'), false],
  ['no namespace', pod(), undefined, false],
  [
    'a pod that asks, in a plain namespace',
    pod({ labels: { 'sidecar.istio.io/inject': 'true' } }),
    namespace('ns'),
    true,
  ],
  [
    'a pod that asks, in a namespace that refuses',
    pod({ labels: { 'sidecar.istio.io/inject': 'true' } }),
    namespace('ns', { 'istio-injection': 'disabled' }),
    false,
  ],
  ['a pod that refuses by label', pod({ labels: { 'sidecar.istio.io/inject': 'false' } }), enabled, false],
  ['a pod that refuses by annotation', pod({ annotations: { 'sidecar.istio.io/inject': 'false' } }), enabled, false],
  ['a pod on the host network', pod({}, { hostNetwork: true }), enabled, false],
  ['a system namespace', pod(), namespace('kube-system', { 'istio-injection': 'enabled' }), false],
];

for (const [name, given, where, injected] of rules) {
  test(`${name}: ${injected ? 'sidecar' : 'no sidecar'}`, () => {
    assert.equal(containers(inject(given, where)), injected ? ['main', 'istio-proxy'] : ['main']);
  });
}

test('the sidecar is what istiod injects: proxy, init container, volumes, labels and status', () => {
  const labels = { app: 'web', version: 'v2', 'pod-template-hash': 'abc' };
  const injected = inject(pod({ labels, generateName: 'web-v2-abc-' }), enabled);
  const { containers, initContainers, volumes } = injected['spec'];
  assert.is(containers[1].image, 'docker.io/istio/proxyv2:1.28.0');
  assert.equal([initContainers[0].name, initContainers[0].image], ['istio-init', 'docker.io/istio/proxyv2:1.28.0']);
  const mounted = containers[1].volumeMounts.map(({ name }: { name: string }) => name).sort();
  assert.equal(volumes.map(({ name }: { name: string }) => name).sort(), mounted);
  const env = Object.fromEntries(
    containers[1].env.map(({ name, value }: { name: string; value: string }) => [name, value]),
  );
  assert.equal(
    [env.ISTIO_META_CLUSTER_ID, env.ISTIO_META_NETWORK, env.ISTIO_META_WORKLOAD_NAME],
    ['c1', 'n1', 'web-v2'],
  );
  assert.equal(injected.metadata.labels, {
    ...labels,
    'security.istio.io/tlsMode': 'istio',
    'service.istio.io/canonical-name': 'web',
    'service.istio.io/canonical-revision': 'v2',
  });
  const status = JSON.parse(injected.metadata.annotations?.['sidecar.istio.io/status'] ?? '');
  assert.equal(
    [status.containers, status.initContainers, status.revision],
    [['istio-proxy'], ['istio-init'], 'default'],
  );
});

test('a revision decides version, status and control plane', () => {
  const injected = inject(pod(), namespace('ns', { 'istio.io/rev': 'canary' }));
  const [, proxy] = injected['spec'].containers;
  assert.is(proxy.image, 'docker.io/istio/proxyv2:1.29.1');
  assert.is(injected.metadata.annotations?.['istio.io/rev'], 'canary');
  const authority = proxy.env.find(({ name }: { name: string }) => name === 'CA_ADDR');
  assert.is(authority.value, 'istiod-canary.istio-system.svc:15012');
});

test('injecting twice is the same as injecting once', () => {
  const once = inject(pod(), enabled);
  assert.is(inject(once, enabled), once);
});

test('a gateway with the image auto gets the proxy image and nothing else', () => {
  const gateway = pod(
    { labels: { 'sidecar.istio.io/inject': 'true' } },
    { containers: [{ name: 'istio-proxy', image: 'auto' }] },
  );
  const { containers, initContainers, volumes } = inject(gateway, namespace('ns'))['spec'];
  assert.equal(containers, [{ name: 'istio-proxy', image: 'docker.io/istio/proxyv2:1.28.0' }]);
  assert.equal([initContainers, volumes], [undefined, undefined]);
});

test('in a cluster: new pods of every workload get it, existing pods do not', async () => {
  using cluster = await startCluster({ istio: { version: '1.28.0' } });
  await cluster.apply(workload('Deployment', 'before'));
  const live = cluster.store.get(NAMESPACE, { name: 'default' }) as KubeObject;
  cluster.store.update({ ...live, metadata: { ...live.metadata, labels: { 'istio-injection': 'enabled' } } });
  const bare = { ...pod({ name: 'bare', namespace: 'default' }) };
  await cluster.apply(
    workload('Deployment', 'web'),
    workload('StatefulSet', 'db'),
    workload('DaemonSet', 'agent'),
    bare,
  );
  const without = cluster.store.list(POD).filter((each) => !containers(each).includes('istio-proxy'));
  assert.equal(
    without.map(({ metadata }) => metadata.labels?.['app']),
    ['before'],
  );
  for (const each of cluster.store.list(POD))
    assert.is(each['status'].containerStatuses.length, containers(each).length);
  assert.equal(cluster.faults, []);
});

test('without Istio no label injects anything', async () => {
  using cluster = await startCluster();
  await cluster.apply(namespace('mesh', { 'istio-injection': 'enabled' }), {
    ...pod(),
    metadata: { name: 'p', namespace: 'mesh' },
  });
  assert.equal(containers(cluster.store.get(POD, { namespace: 'mesh', name: 'p' }) as KubeObject), ['main']);
});

test.run();
