/** Discovery by rules: control planes of any kind, and members among pods and templates. */
import type { KubeObject } from '@meshrelay/api';
import { type ControlPlaneRule, groupOf, kindKey, type MemberRule, type ResourceKind } from '@meshrelay/plugin';
import { assert, test } from '@meshrelay/testing';
import { createGraph, discoverCluster, loadPlugins, objectKey } from '../../src/mod.ts';
import { capabilities } from '../support/fake-plugin.ts';

/** Kuma's: the mesh is an object of its own, without a namespace. */
const KUMA_MESH: ResourceKind = {
  group: 'kuma.io',
  version: 'v1alpha1',
  kind: 'Mesh',
  plural: 'meshes',
  namespaced: false,
};

const byLabel: ControlPlaneRule = {
  match: ({ metadata }) => metadata.labels?.['app'] === 'controller',
  mesh: ({ metadata: { name, namespace = '' } }) => ({ name, namespace, trustDomain: 'cluster.local' }),
};
const inMesh: MemberRule = { match: ({ metadata }) => metadata.labels?.['in'] !== undefined };

const object = (apiVersion: string, kind: string, [namespace, name]: readonly [string, string], more: object = {}) =>
  ({ apiVersion, kind, metadata: { name, namespace, ...more } }) as KubeObject;
const controller = (namespace: string): KubeObject =>
  object('apps/v1', 'Deployment', [namespace, 'controller'], { labels: { app: 'controller' } });
const pod = (name: string, labels: Readonly<Record<string, string>>): KubeObject => ({
  ...object('v1', 'Pod', ['shop', name], {
    labels,
    ownerReferences: [{ apiVersion: 'apps/v1', kind: 'StatefulSet', name, controller: true }],
  }),
  ...{ spec: { serviceAccountName: 'default', containers: [] } },
});

function cluster(controlPlane: ControlPlaneRule, member: MemberRule, watches: readonly ResourceKind[] = []) {
  const graph = createGraph({ freeze: true });
  const plugin = { name: 'lamp', contract: 1, watches, writes: [], capabilities: capabilities(), controlPlane, member };
  const discovery = discoverCluster(graph, 'c1', loadPlugins([{ module: 'lamp', plugin }]));
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
  const meshes = () =>
    [...discovery.meshes.entries()].map(([, { metadata }]) => `${metadata.namespace}/${metadata.name}`);
  const members = () =>
    [...discovery.workloads.entries()]
      .filter(([, { spec }]) => spec.mesh !== undefined)
      .map(([, { metadata, spec }]) => `${metadata.name}: ${spec.mesh?.namespace}/${spec.mesh?.name}`)
      .sort();
  return { commit, meshes, members };
}

test('pods are members of the first mesh in the cluster, and of none without one', () => {
  const { commit, meshes, members } = cluster(byLabel, inMesh);
  commit([pod('cart', { in: 'mesh' }), pod('other', {}), object('apps/v1', 'Deployment', ['shop', 'other'])]);
  assert.equal([meshes(), members()], [[], []]);
  commit([controller('b')]);
  assert.equal([meshes(), members().length], [['b/controller'], 1]);
  assert.match(members()[0] ?? '', /cart.*: b\/controller$/);
  commit([controller('a')]);
  assert.match(members()[0] ?? '', /: a\/controller$/, 'by namespace and name, not by time');
  commit([controller('a'), controller('b')], true);
  assert.equal([meshes(), members()], [[], []]);
});

test('a pod that names its mesh is a member only of a mesh that is there', () => {
  const rule: MemberRule = {
    ...inMesh,
    meshOf: ({ metadata }) => ({ name: 'controller', namespace: metadata.labels?.['in'] ?? '' }),
    ownLabels: ['in'],
  };
  const { commit, members } = cluster(byLabel, rule);
  commit([controller('a'), controller('b'), pod('cart', { in: 'b' }), pod('lost', { in: 'nowhere' })]);
  assert.is(members().length, 1);
  assert.match(members()[0] ?? '', /cart.*: b\/controller$/);
});

test('a template is a member without a pod, and a mesh may be an object of another kind', () => {
  const rule: ControlPlaneRule = {
    kind: KUMA_MESH,
    match: () => true,
    mesh: ({ metadata: { name } }) => ({ name, namespace: 'kuma-system', trustDomain: name }),
  };
  const { commit, meshes, members } = cluster(rule, inMesh, [KUMA_MESH]);
  const template = { metadata: { labels: { in: 'mesh' } }, spec: { serviceAccountName: 'default', containers: [] } };
  commit([
    { apiVersion: 'kuma.io/v1alpha1', kind: 'Mesh', metadata: { name: 'default' } } as KubeObject,
    { ...object('apps/v1', 'Deployment', ['shop', 'cart']), spec: { template } } as unknown as KubeObject,
  ]);
  assert.equal(meshes(), ['kuma-system/default']);
  assert.match(members().join(), /cart.*: kuma-system\/default$/);
});

for (const [what, change, message] of [
  ['controlPlane alone', { member: undefined }, 'it has controlPlane without member; add the other one'],
  ['member alone', { controlPlane: undefined, discover: () => undefined }, 'it has member without controlPlane'],
  ['no function', { controlPlane: { ...byLabel, match: 'app' } }, 'controlPlane.match is string; expected a function'],
  [
    'a kind that is not watched',
    { controlPlane: { ...byLabel, kind: KUMA_MESH } },
    'controlPlane.kind is Mesh, which its "watches" does not have',
  ],
  ['nothing', { controlPlane: undefined, member: undefined }, 'its default export is not a mesh plugin'],
] as const)
  test(`${what} is an error when the plugin is loaded`, () => {
    const plugin = { name: 'lamp', contract: 1, watches: [], writes: [], capabilities: capabilities() };
    const rules = { controlPlane: byLabel, member: inMesh };
    assert.throws(() => loadPlugins([{ module: 'lamp', plugin: { ...plugin, ...rules, ...change } }]), message);
  });

test.run();
