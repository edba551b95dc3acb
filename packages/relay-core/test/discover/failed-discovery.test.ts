/** A plugin whose discovery fails discovers nothing, and the others are not affected. */
import { DEPLOYMENT, type DiscoveryBuilder, type MeshPlugin } from '@meshrelay/plugin';
import { assert, test } from '@meshrelay/testing';
import { createGraph, discoverCluster, loadPlugins, objectKey, refuseFailedDiscovery } from '../../src/mod.ts';
import { fakePlugin } from '../support/fake-plugin.ts';

const FOUND = { name: 'istiod', namespace: 'istio-system', trustDomain: 'cluster.local' };
const OBJECT = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'istiod', namespace: 'istio-system' },
  spec: {},
};

function discoverMeshes({ graph, objects, meshes }: DiscoveryBuilder): void {
  meshes(graph.derive('good/meshes', objects(DEPLOYMENT), () => FOUND));
}

function pluginsWith(discover: MeshPlugin['discover']) {
  const { plugin } = fakePlugin();
  return loadPlugins([
    { module: 'bad', plugin: { ...plugin, name: 'bad', discover } },
    { module: 'good', plugin: { ...plugin, name: 'good', discover: discoverMeshes } },
  ]);
}

for (const [what, discover, message] of [
  [
    'throws',
    () => {
      throw new Error('boom');
    },
    'boom',
  ],
  [
    'throws after it has defined meshes',
    ({ graph, objects, meshes }: DiscoveryBuilder) => {
      meshes(graph.derive('bad/meshes', objects(DEPLOYMENT), () => ({ ...FOUND, name: 'bad' })));
      throw new Error('half done');
    },
    'half done',
  ],
  [
    'reads a kind that it does not watch',
    ({ objects }: DiscoveryBuilder) => {
      objects({ group: 'lantern.example', version: 'v1', kind: 'Beam', plural: 'beams', namespaced: true });
    },
    "Beam is not among the kinds discovery watches; add it to the plugin's watches",
  ],
  [
    'is asynchronous',
    async () => {
      throw new Error('later');
    },
    'discover returned a promise; define all collections before it returns',
  ],
] as const) {
  test(`a discovery that ${what} fails alone, by name`, () => {
    const graph = createGraph();
    const discovery = discoverCluster(graph, 'east', pluginsWith(discover));
    graph.commit((transaction) => {
      const source = [...discovery.inputs.values()].find(({ name }) => name === 'input/deployments');
      assert.ok(source !== undefined);
      transaction.set(source, objectKey(OBJECT), OBJECT);
    });
    assert.equal(
      [...discovery.meshes.entries()].map(([, { metadata, spec }]) => [spec.type, metadata.name]),
      [['good', 'istiod']],
    );
    assert.equal(
      discovery.failed.map(({ plugin, error }) => [plugin, (error as Error).message]),
      [['bad', message]],
    );
    assert.throws(() => refuseFailedDiscovery(discovery), `discovery of the plugin bad failed: ${message}`);
  });
}

test('without a failure nothing is reported', () => {
  const discovery = discoverCluster(
    createGraph(),
    'east',
    pluginsWith(() => undefined),
  );
  assert.equal(discovery.failed, []);
  refuseFailedDiscovery(discovery);
});

test.run();
