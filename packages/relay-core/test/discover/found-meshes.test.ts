/** An incomplete discovered mesh is an error of its plugin; the message names the missing field. */
import { assert, test } from '@meshrelay/testing';
import { createGraph, DEPLOYMENT, type DiscoveredMesh, discoverCluster, kindKey } from '../support/core.ts';
import { fakePlugin } from '../support/fake-plugin.ts';

/** The error if a plugin discovers this from a Deployment. */
function fault(found: unknown): string {
  const plugin = fakePlugin({
    discover({ graph, objects, meshes }) {
      meshes(graph.derive('fake/meshes', objects(DEPLOYMENT), () => found as DiscoveredMesh));
    },
  });
  const graph = createGraph();
  const { inputs } = discoverCluster(graph, 'c1', [plugin]);
  const deployments = inputs.get(kindKey(DEPLOYMENT));
  assert.ok(deployments);
  const object = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'd', namespace: 'n' }, spec: {} };
  graph.commit((transaction) => transaction.set(deployments, 'd', object));
  return [...graph.quarantined.entries()].map(([, { error }]) => String(error)).join();
}

test('a mesh with a name, a namespace and a trust domain is valid', () => {
  assert.is(fault({ name: 'd', namespace: 'n', trustDomain: 'td' }), '');
});

for (const [found, words] of [
  [null, /plugin fake found a mesh whose name is undefined; expected a string; return undefined instead of a mesh/],
  [{ name: 'd', namespace: 'n' }, /plugin fake found a mesh whose trustDomain is undefined/],
  [{ name: 'd', namespace: 7, trustDomain: 'td' }, /plugin fake found a mesh whose namespace is 7/],
] as const) {
  test(`${JSON.stringify(found)} is not a mesh`, () => assert.match(fault(found), words));
}

test.run();
