/** Calls of a plugin through its host: the results are the same, and the host sees each call by name. */
import { DEPLOYMENT, type DiscoveryBuilder, key, type MeshPlugin } from '@meshrelay/plugin';
import { assert, test } from '@meshrelay/testing';
import { createGraph, discoverCluster, interceptCalls, loadPlugins, objectKey } from '../../src/mod.ts';
import { fakePlugin } from '../support/fake-plugin.ts';

const OBJECT = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'istiod', namespace: 'istio-system' },
  spec: {},
};

/** Uses each operator of the graph. */
function discover({ graph, objects, meshes }: DiscoveryBuilder): void {
  const deployments = objects(DEPLOYMENT);
  const named = graph.derive('named', deployments, ({ metadata: { name, namespace = '' } }) => ({ name, namespace }), {
    equals: (a, b) => a.name === b.name,
  });
  const twins = graph.deriveMany('twins', named, function* ({ name, namespace }) {
    for (const suffix of ['a', 'b']) yield [key(namespace, `${name}-${suffix}`), { name, suffix }] as const;
  });
  const byName = graph.index(twins, 'twins by name', function* ({ name }) {
    yield key(name);
  });
  const indexed = graph.match('indexed', named, byName, {
    *candidateBuckets({ name }) {
      yield key(name);
    },
    matches: (one, { suffix }) => one.name !== '' && suffix === 'a',
  });
  const matched = graph.match('matched', named, twins, {
    candidateBuckets: ({ name }) => [key(name)],
    bucketsOf: ({ name }) => [key(name)],
    matches: () => true,
  });
  const groups = graph.group(
    'groups',
    graph.join('pairs', [matched]),
    ({ left }) => [[left, left]],
    (a, b) => a.localeCompare(b),
  );
  meshes(
    graph.derive('meshes', named, ({ name, namespace }, read, at) => ({
      name: `${name}-${read.get(groups, at)?.length}-${read.count(byName, key(name))}-${indexed.name}`,
      namespace,
      trustDomain: 'cluster.local',
    })),
  );
}

function namesOfMeshes(plugin: MeshPlugin<unknown>): string[] {
  const graph = createGraph();
  const discovery = discoverCluster(graph, 'east', loadPlugins([{ module: 'one', plugin }]));
  graph.commit((transaction) => {
    const deployments = [...discovery.inputs.values()].find(({ name }) => name === 'input/deployments');
    assert.ok(deployments);
    transaction.set(deployments, objectKey(OBJECT), OBJECT);
  });
  return [...discovery.meshes.entries()].map(([, { metadata }]) => metadata.name);
}

test('discovery is the same, and each function is called through the host', () => {
  const plugin: MeshPlugin<unknown> = { ...fakePlugin().plugin, discover };
  const calls = new Set<string>();
  const intercepted = interceptCalls(plugin, (name) => (run) => {
    calls.add(name);
    return run();
  });
  assert.equal(namesOfMeshes(intercepted), namesOfMeshes(plugin));
  assert.is(namesOfMeshes(plugin).length, 1);
  const nodes = ['named', 'twins', 'twins by name', 'indexed', 'matched', 'groups', 'meshes'];
  assert.equal([...calls].sort(), ['discover', ...nodes.map((name) => `discover ${name}`)].sort());
});

test('methods keep their object, functions of members are called through the host, data stays', () => {
  class Mesh {
    readonly kinds = ['A'];
    readonly inboundRules = {
      isOne: (): boolean => true,
      namespacesFor: (): readonly string[] => this.kinds,
    };
    concernsMesh(): boolean {
      return this.kinds.length === 1;
    }
  }
  const { plugin } = fakePlugin();
  const own = Object.assign(new Mesh(), plugin) as unknown as MeshPlugin<unknown>;
  const calls: string[] = [];
  const intercepted = interceptCalls(own, (name) => (run) => {
    calls.push(name);
    return run();
  });
  assert.ok(intercepted.concernsMesh?.(OBJECT));
  assert.equal(intercepted.inboundRules?.namespacesFor({} as never), ['A']);
  assert.equal(calls, ['concernsMesh', 'inboundRules.namespacesFor']);
  assert.is(intercepted.writes, plugin.writes);
  assert.throws(
    () => interceptCalls({ ...plugin, concernsMesh: () => fail() }, () => (run) => run()).concernsMesh?.(OBJECT),
    'boom',
  );
});

function fail(): never {
  throw new Error('boom');
}

test.run();
