/** The way into the world: each object to its place, and none to a place that is not its cluster's to fill. */
import type { KubeObject } from '@meshrelay/api';
import { assert, test } from '@meshrelay/testing';
import { createGraph, createWorld, deleteObject, key, setObject, type World } from '../../src/mod.ts';

const object = (group: string, kind: string, spec: unknown = {}) =>
  ({ apiVersion: `${group}/v1alpha1`, kind, metadata: { name: 'a', namespace: 'n' }, spec }) as unknown as KubeObject;

function fed(
  cluster: string,
  one: KubeObject,
): { readonly taken: boolean; readonly world: World; readonly forget: () => boolean } {
  const graph = createGraph();
  const world = createWorld(graph);
  let taken = false;
  graph.commit((transaction) => {
    taken = setObject(transaction, world, cluster, one);
  });
  const forget = () => {
    let forgotten = false;
    graph.commit((transaction) => {
      forgotten = deleteObject(transaction, world, cluster, {
        group: one.apiVersion.split('/', 1)[0] ?? '',
        kind: one.kind,
        namespace: 'n',
        name: 'a',
      });
    });
    return forgotten;
  };
  return { taken, world, forget };
}

for (const [kind, group, source] of [
  ['Mesh', 'discovery.meshrelay.dev', 'meshes'],
  ['Workload', 'discovery.meshrelay.dev', 'workloads'],
  ['Destination', 'discovery.meshrelay.dev', 'destinations'],
  ['TrafficPolicy', 'networking.meshrelay.dev', 'policies'],
  ['WorkspaceSettings', 'admin.meshrelay.dev', 'policies'],
  ['Namespace', '', 'namespaces'],
  ['VirtualService', 'networking.istio.io', 'present'],
] as const) {
  test(`a ${kind} of a workload cluster has a place, and leaves it again`, () => {
    const { taken, world, forget } = fed('c1', object(group, kind));
    assert.ok(taken);
    assert.is(world[source].size, 1);
    assert.ok(forget());
    assert.is(world[source].size, 0);
  });
}

for (const kind of ['KubernetesCluster', 'Settings', 'Ledger', 'Workspace'] as const) {
  const group = kind === 'KubernetesCluster' ? 'multicluster.meshrelay.dev' : 'admin.meshrelay.dev';
  test(`a ${kind} counts in the management cluster only`, () => {
    assert.ok(fed('', object(group, kind)).taken);
    const { taken, forget } = fed('c1', object(group, kind));
    assert.not.ok(taken);
    assert.not.ok(forget());
  });
}

test('a kind of ours that nothing reads has no place', () => {
  assert.not.ok(fed('', object('admin.meshrelay.dev', 'OutputLedger')).taken);
});

test('policies of the same name in different clusters do not meet', () => {
  const graph = createGraph();
  const world = createWorld(graph);
  graph.commit((transaction) => {
    for (const cluster of ['', 'c1'])
      setObject(transaction, world, cluster, object('networking.meshrelay.dev', 'TrafficPolicy'));
  });
  assert.equal([...world.policies.entries()].map(([, { ref }]) => ref.cluster).sort(), ['', 'c1']);
});

test('a cluster has its domain from its KubernetesCluster, else the usual one', () => {
  assert.is(
    fed(
      '',
      object('multicluster.meshrelay.dev', 'KubernetesCluster', { clusterDomain: 'other.local' }),
    ).world.clusters.get(key('a'))?.domain,
    'other.local',
  );
  assert.is(
    fed('', object('multicluster.meshrelay.dev', 'KubernetesCluster')).world.clusters.get(key('a'))?.domain,
    'cluster.local',
  );
});

test.run();
