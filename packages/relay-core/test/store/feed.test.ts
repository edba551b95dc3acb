/**
 * Input of the fleet state: each object goes to its collection. An object cannot claim to belong to another cluster.
 */
import type { KubeObject } from '@meshrelay/api';
import { key } from '@meshrelay/plugin';
import { assert, test } from '@meshrelay/testing';
import { createFleetState, createGraph, deleteObject, type FleetState, setObject } from '../../src/mod.ts';

/** Cluster claims of discovered objects, for all kinds at once. */
const OF_C1 = {
  cluster: 'c1',
  trustDomain: 'td.example',
  kubeService: { ref: { name: 'a', namespace: 'n', clusterName: 'c1' } },
  kubernetes: { controller: { name: 'a', namespace: 'n', clusterName: 'c1', kind: 'Deployment' } },
};

const object = (group: string, kind: string, spec: unknown = OF_C1) =>
  ({ apiVersion: `${group}/v1alpha1`, kind, metadata: { name: 'a', namespace: 'n' }, spec }) as unknown as KubeObject;

function fed(
  cluster: string,
  one: KubeObject,
): { readonly taken: boolean; readonly fleetState: FleetState; readonly forget: () => boolean } {
  const graph = createGraph();
  const fleetState = createFleetState(graph);
  let taken = false;
  graph.commit((transaction) => {
    taken = setObject(transaction, fleetState, cluster, one);
  });
  const forget = () => {
    let forgotten = false;
    graph.commit((transaction) => {
      forgotten = deleteObject(transaction, fleetState, cluster, {
        group: one.apiVersion.split('/', 1)[0] ?? '',
        kind: one.kind,
        namespace: 'n',
        name: 'a',
      });
    });
    return forgotten;
  };
  return { taken, fleetState, forget };
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
  test(`a ${kind} of a workload cluster is stored, and deleted again`, () => {
    const { taken, fleetState, forget } = fed('c1', object(group, kind));
    assert.ok(taken);
    assert.is(fleetState[source].size, 1);
    assert.ok(forget());
    assert.is(fleetState[source].size, 0);
  });
}

for (const kind of ['Mesh', 'Workload', 'Destination'] as const) {
  test(`a ${kind} that claims another cluster is rejected, and its previous version is deleted`, () => {
    const graph = createGraph();
    const fleetState = createFleetState(graph);
    const source = { Mesh: fleetState.meshes, Workload: fleetState.workloads, Destination: fleetState.destinations }[
      kind
    ];
    const lying = JSON.parse(JSON.stringify(object('discovery.meshrelay.dev', kind)).replaceAll('"c1"', '"c2"'));
    graph.commit((transaction) => {
      assert.ok(setObject(transaction, fleetState, 'c1', object('discovery.meshrelay.dev', kind)));
    });
    assert.is(source.size, 1);
    graph.commit((transaction) => assert.not.ok(setObject(transaction, fleetState, 'c1', lying)));
    assert.is(source.size, 0);
  });
}

for (const [what, kind, bad] of [
  ['a trust domain that matches all', 'Mesh', { ...OF_C1, trustDomain: '*' }],
  ['a trust domain that is part of an identity', 'Mesh', { ...OF_C1, trustDomain: 'td.example/ns/n' }],
  ['an alias that matches all', 'Mesh', { ...OF_C1, trustDomainAliases: ['*'] }],
  [
    'the name of another Service',
    'Destination',
    { kubeService: { ref: { name: 'b', namespace: 'n', clusterName: 'c1' } } },
  ],
  ['no reference at all', 'Destination', null],
  ['a kind with a dash', 'Workload', { kubernetes: { controller: { clusterName: 'c1', kind: 'c2-Deployment' } } }],
] as const) {
  test(`a ${kind} with ${what} is rejected`, () => {
    assert.not.ok(fed('c1', object('discovery.meshrelay.dev', kind, bad)).taken);
  });
}

test('a Destination with an ambiguous name is rejected', () => {
  const dotted = JSON.parse(
    JSON.stringify(object('discovery.meshrelay.dev', 'Destination')).replaceAll('"a"', '"a.b"'),
  );
  assert.not.ok(fed('c1', dotted).taken);
});

for (const kind of ['KubernetesCluster', 'Ledger', 'Workspace'] as const) {
  const group = kind === 'KubernetesCluster' ? 'multicluster.meshrelay.dev' : 'admin.meshrelay.dev';
  test(`a ${kind} counts in the management cluster only`, () => {
    assert.ok(fed('', object(group, kind)).taken);
    const { taken, forget } = fed('c1', object(group, kind));
    assert.not.ok(taken);
    assert.not.ok(forget());
  });
}

test('only the Settings object with the fixed name counts, and only in the management cluster', () => {
  const others = object('admin.meshrelay.dev', 'Settings', {});
  const settings = { ...others, metadata: { name: 'settings', namespace: 'n' } };
  assert.ok(fed('', settings).taken);
  assert.not.ok(fed('c1', settings).taken);
  const { taken, forget } = fed('', others);
  assert.not.ok(taken);
  assert.not.ok(forget());
});

test('a Meshrelay kind that no stage reads is not stored', () => {
  assert.not.ok(fed('', object('admin.meshrelay.dev', 'OutputLedger')).taken);
});

test('policies of the same name in different clusters are separate', () => {
  const graph = createGraph();
  const fleetState = createFleetState(graph);
  graph.commit((transaction) => {
    for (const cluster of ['', 'c1'])
      setObject(transaction, fleetState, cluster, object('networking.meshrelay.dev', 'TrafficPolicy'));
  });
  assert.equal([...fleetState.policies.entries()].map(([, { ref }]) => ref.cluster).sort(), ['', 'c1']);
});

test('a cluster has the domain of its KubernetesCluster, or the default', () => {
  assert.is(
    fed(
      '',
      object('multicluster.meshrelay.dev', 'KubernetesCluster', { clusterDomain: 'other.local' }),
    ).fleetState.clusters.get(key('a'))?.domain,
    'other.local',
  );
  assert.is(
    fed('', object('multicluster.meshrelay.dev', 'KubernetesCluster')).fleetState.clusters.get(key('a'))?.domain,
    'cluster.local',
  );
});

test.run();
