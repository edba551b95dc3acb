/** A workload scaled to zero keeps its mesh, its Service and its ServiceAccount. */
import type { Destination, KubeObject, Workload } from '@meshrelay/api';
import { defineMeshPlugin, groupOf, key, kindKey, POD } from '@meshrelay/plugin';
import { assert, test } from '@meshrelay/testing';
import { createGraph, discoverCluster, loadPlugins, objectKey } from '../../src/mod.ts';
import { capabilities } from '../support/fake-plugin.ts';

const MESH = { name: 'controller', namespace: 'mesh-system' };

/** Claims everything labelled `in: mesh`, pods and templates alike. */
const plugin = defineMeshPlugin<unknown>({
  name: 'labelled',
  contract: 1,
  watches: [],
  writes: [],
  capabilities: capabilities(),
  discover({ graph, members, templateMembers, templates, objects }) {
    const inMesh = (labels: Readonly<Record<string, string>> = {}) =>
      labels['in'] === 'mesh' ? { mesh: MESH } : undefined;
    members(graph.derive('labelled/pods', objects(POD), ({ metadata }) => inMesh(metadata.labels)));
    templateMembers(graph.derive('labelled/templates', templates, ({ pod }) => inMesh(pod.metadata.labels)));
  },
});

const object = (apiVersion: string, kind: string, name: string, more: object, metadata: object = {}): KubeObject =>
  ({ apiVersion, kind, metadata: { name, namespace: 'shop', ...metadata }, ...more }) as unknown as KubeObject;
const service = object('v1', 'Service', 'cart', { spec: { selector: { app: 'cart' }, ports: [{ port: 80 }] } });
const labels = { app: 'cart', in: 'mesh' };
const controller = (kind: string, name = 'cart', more: Readonly<Record<string, string>> = labels): KubeObject =>
  object('apps/v1', kind, name, {
    spec: { template: { metadata: { labels: more }, spec: { serviceAccountName: `${name}-account`, containers: [] } } },
  });
const pod = (name: string, owner: string, more: Readonly<Record<string, string>> = labels): KubeObject =>
  object(
    'v1',
    'Pod',
    name,
    { spec: { serviceAccountName: 'of-pod', containers: [] } },
    { labels: more, ownerReferences: [{ apiVersion: 'apps/v1', kind: owner, name: 'cart', controller: true }] },
  );

function cluster() {
  const graph = createGraph({ freeze: true });
  const discovery = discoverCluster(graph, 'c1', loadPlugins([{ module: 'labelled', plugin }]));
  const commit = (objects: readonly KubeObject[], gone = false): void => {
    graph.commit((transaction) => {
      for (const one of objects) {
        const source = discovery.inputs.get(kindKey({ group: groupOf(one.apiVersion), kind: one.kind }));
        assert.ok(source, one.kind);
        if (gone) transaction.delete(source, objectKey(one));
        else transaction.set(source, objectKey(one), one);
      }
    });
    assert.is(graph.quarantined.size, 0);
  };
  const destination = (): Destination | undefined => discovery.destinations.get(key('shop', 'cart'));
  const workloads = (): Workload[] => [...discovery.workloads.entries()].map(([, workload]) => workload);
  return { commit, destination, workloads };
}

for (const kind of ['Deployment', 'StatefulSet', 'DaemonSet']) {
  test(`a ${kind} without pods keeps its Service in the mesh`, () => {
    const { commit, destination, workloads } = cluster();
    commit([service, controller(kind), pod('cart-1', kind)]);
    assert.equal(destination()?.spec.mesh, MESH);
    assert.equal(destination()?.spec.kubeService.serviceAccounts, ['of-pod'], 'pods decide where there are some');
    commit([pod('cart-1', kind)], true);
    assert.equal(destination()?.spec.mesh, MESH);
    assert.equal(destination()?.spec.kubeService.serviceAccounts, ['cart-account']);
    assert.equal(
      workloads().map(({ spec }) => [spec.kubernetes.controller.kind, spec.mesh]),
      [[kind, MESH]],
    );
    commit([controller(kind)], true);
    assert.is(destination()?.spec.mesh, undefined, 'without the controller there is nothing that could come back');
    assert.equal(workloads(), []);
  });
}

test('discovery does not depend on previous state', () => {
  const [reported, fresh] = [cluster(), cluster()];
  reported.commit([service, controller('Deployment'), pod('cart-1', 'Deployment')]);
  reported.commit([pod('cart-1', 'Deployment')], true);
  fresh.commit([service, controller('Deployment')]);
  assert.equal(reported.destination(), fresh.destination());
  assert.equal(reported.workloads(), fresh.workloads());
});

test('existing pods decide: a template in the mesh does not put pods outside it into the mesh', () => {
  const { commit, destination } = cluster();
  commit([service, controller('StatefulSet'), pod('cart-1', 'StatefulSet', { app: 'cart' })]);
  assert.is(destination()?.spec.mesh, undefined);
});

test('a controller outside the mesh is not a workload until it has pods', () => {
  const { commit, destination, workloads } = cluster();
  commit([service, controller('Deployment', 'cart', { app: 'cart' })]);
  assert.is(destination()?.spec.mesh, undefined);
  assert.equal(workloads(), []);
});

test('of two controllers of one Service, the one without pods still defines a subset', () => {
  const { commit, destination } = cluster();
  commit([
    service,
    controller('Deployment', 'v1', { ...labels, version: 'v1' }),
    controller('Deployment', 'v2', { ...labels, version: 'v2' }),
  ]);
  assert.equal(destination()?.spec.kubeService.subsets, { version: { values: ['v1', 'v2'] } });
});

test.run();
