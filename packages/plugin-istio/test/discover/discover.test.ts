/** Discovers meshes, members and workloads from a cluster's objects. */
import type { KubeObject, Workload } from '@meshrelay/api';
import { groupOf, kindKey } from '@meshrelay/plugin';
import { createGraph, type Discovery, discoverCluster, loadPlugins, objectKey } from '@meshrelay/relay-core';
import { assert, test } from '@meshrelay/testing';
import { controlPlane } from '../../src/fixture.ts';
import istio from '../../src/mod.ts';

const plugins = loadPlugins([{ module: 'istio', plugin: istio }]);

function found(objects: readonly KubeObject[]): Discovery & { readonly faults: readonly string[] } {
  const graph = createGraph();
  const discovery = discoverCluster(graph, 'c', plugins);
  graph.commit((transaction) => {
    for (const object of objects) {
      const source = discovery.inputs.get(kindKey({ group: groupOf(object.apiVersion), kind: object.kind }));
      if (source !== undefined) transaction.set(source, objectKey(object), object);
    }
  });
  return { ...discovery, faults: [...graph.quarantined.entries()].map(([, { key }]) => key) };
}

const meshesOf = (objects: readonly KubeObject[]) => [...found(objects).meshes.entries()].map(([, mesh]) => mesh);
const workloadsOf = (objects: readonly KubeObject[]): Workload[] =>
  [...found(objects).workloads.entries()].map(([, workload]) => workload);

function object(apiVersion: string, kind: string, name: string, more: object, metadata: object = {}): KubeObject {
  return { apiVersion, kind, metadata: { name, namespace: 'n', ...metadata }, ...more } as unknown as KubeObject;
}

const proxy = { name: 'istio-proxy', image: 'registry.example/istio/proxyv2:1.30.0' };
const app = { name: 'app', image: 'registry.example/app:1' };
const pod = (name: string, spec: object, metadata: object = {}, status: object = { phase: 'Running' }) =>
  object('v1', 'Pod', name, { spec, status }, metadata);
const owned = (kind: string, name: string) => ({
  ownerReferences: [{ apiVersion: 'apps/v1', kind, name, controller: true }],
});

test('a control plane is discovered by its image, independent of the registry and the name', () => {
  const deployment = object('apps/v1', 'Deployment', 'renamed', {
    spec: {
      template: {
        spec: { containers: [{ name: 'x', image: 'mirror.example:5000/deep/er/pilot:1.30.0-distroless@sha256:abc' }] },
      },
    },
  });
  const [mesh] = meshesOf([deployment]);
  assert.is(mesh?.metadata.name, 'renamed');
  assert.is(mesh?.spec.installation.version, '1.30.0-distroless');
  assert.is(mesh?.spec.trustDomain, 'cluster.local');
});

test('a Deployment with a similar name is not a control plane', () => {
  assert.equal(
    meshesOf([
      object('apps/v1', 'Deployment', 'istiod-exporter', { spec: { template: { spec: { containers: [app] } } } }),
    ]),
    [],
  );
});

test('a mesh has the roots that istiod publishes to workloads, from its own namespace only', () => {
  const pem = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
  const roots = (namespace: string, text: string) =>
    object('v1', 'ConfigMap', 'istio-ca-root-cert', { data: { 'root-cert.pem': text } }, { namespace });
  const istiod = controlPlane({});
  const own = istiod.find(({ kind }) => kind === 'Deployment')?.metadata.namespace ?? '';
  const [mesh] = meshesOf([...istiod, roots(own, pem), roots('bookinfo', pem.replace('AAAA', 'BBBB'))]);
  assert.is(mesh?.spec.trustBundle, pem);
  const [untold] = meshesOf([...istiod, roots(own, 'nothing of the kind')]);
  assert.is(untold?.spec.trustBundle, undefined);
});

test('each revision has its own configuration', () => {
  const meshes = meshesOf([
    ...controlPlane({ revision: 'old', config: { trustDomain: 'old.example' } }),
    ...controlPlane({ config: { trustDomain: 'new.example', rootNamespace: 'root' } }),
  ]);
  assert.equal(meshes.map(({ spec }) => [spec.revision, spec.trustDomain, spec.details]).sort(), [
    ['default', 'new.example', { rootNamespace: 'root', meshConfig: 'istio' }],
    ['old', 'old.example', { rootNamespace: 'istio-system', meshConfig: 'istio-old' }],
  ]);
});

test('a configuration that is not YAML is an error of that object, reported with its key', () => {
  const [deployment, configMap] = controlPlane({});
  const broken = { ...configMap, data: { mesh: 'a: [' } } as unknown as KubeObject;
  assert.match(found([deployment as KubeObject, broken]).faults.join(), 'istio-system');
});

for (const [what, spec, member] of [
  ['a sidecar', { containers: [app, proxy] }, true],
  ['a native sidecar', { containers: [app], initContainers: [proxy] }, true],
  [
    'a sidecar from a mirror under another name',
    { containers: [app, { name: 'proxy', image: 'mirror.example/proxyv2:1' }] },
    true,
  ],
  ['only the init container', { containers: [app], initContainers: [{ ...proxy, name: 'istio-init' }] }, false],
  ['nothing', { containers: [app] }, false],
] as const) {
  test(`a pod with ${what} is ${member ? 'a member' : 'not a member'}`, () => {
    const [workload] = workloadsOf([...controlPlane({}), pod('p', spec)]);
    assert.equal(workload?.spec.mesh, member ? { name: 'istiod', namespace: 'istio-system' } : undefined);
  });
}

test('a pod belongs to the control plane of its revision', () => {
  const planes = [...controlPlane({ revision: 'a' }), ...controlPlane({ revision: 'b' })];
  const [workload] = workloadsOf([
    ...planes,
    pod('p', { containers: [proxy] }, { annotations: { 'istio.io/rev': 'b' } }),
  ]);
  assert.is(workload?.spec.mesh?.name, 'istiod-b');
});

test('owners of pods are followed to the top, and one member makes the whole workload a member', () => {
  const set = object('apps/v1', 'ReplicaSet', 'web-1', {}, owned('Deployment', 'web'));
  const pods = [
    pod(
      'web-1-a',
      { containers: [app], serviceAccountName: 'web' },
      { ...owned('ReplicaSet', 'web-1'), labels: { app: 'web', 'pod-template-hash': '1', only: 'here' } },
    ),
    pod(
      'web-1-b',
      { containers: [app, proxy], serviceAccountName: 'web' },
      { ...owned('ReplicaSet', 'web-1'), labels: { app: 'web', 'pod-template-hash': '1' } },
    ),
    pod('agent-x', { containers: [app] }, owned('DaemonSet', 'agent')),
    pod('alone', { containers: [app] }),
    pod('done', { containers: [app] }, owned('Job', 'once'), { phase: 'Succeeded' }),
  ];
  const workloads = workloadsOf([...controlPlane({}), set, ...pods]);
  assert.equal(
    workloads
      .map(({ spec: { kubernetes, mesh } }) => [
        kubernetes.controller.kind,
        kubernetes.controller.name,
        kubernetes.podLabels,
        mesh !== undefined,
      ])
      .sort(),
    [
      ['DaemonSet', 'agent', {}, false],
      ['Deployment', 'web', { app: 'web' }, true],
      ['Pod', 'alone', {}, false],
    ],
  );
});

test.run();
