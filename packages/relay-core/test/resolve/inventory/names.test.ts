/** Names of discovered objects: unchanged if unique, with six hex digits otherwise. */

import { key } from '@meshrelay/plugin';
import { assert, test } from '@meshrelay/testing';
import { createGraph, uniqueNames } from '../../../src/mod.ts';
import { clustersByEnding } from '../../../src/resolve/inventory/names.ts';
import type { ClusterFacts } from '../../../src/store/fleet-state.ts';
import { sha256 } from '../../support/hash.ts';

/** Names of items in a fleet of these clusters. An item is its base name, by `cluster/id`. */
function fleet(clusters: readonly string[]) {
  const graph = createGraph();
  const items = graph.source<string>('items');
  const registry = graph.source<ClusterFacts>('clusters');
  const names = uniqueNames(
    graph,
    'names',
    { items, baseName: (base) => base, clusters: clustersByEnding(graph, registry) },
    sha256,
  );
  const idOf = (id: string) => key(...id.split('/'));
  graph.commit((transaction) => {
    for (const name of clusters) transaction.set(registry, key(name), { name, domain: '', suspended: false });
  });
  return {
    set: (id: string, base: string) => graph.commit((transaction) => transaction.set(items, idOf(id), base)),
    delete: (id: string) => graph.commit((transaction) => transaction.delete(items, idOf(id))),
    nameOf: (id: string) => names.get(idOf(id)),
    digits: (id: string) => sha256(idOf(id)).slice(0, 6),
  };
}

test('a unique name stays unchanged', () => {
  const { set, nameOf } = fleet(['east']);
  set('east/a', 'a-n-east');
  set('east/b', 'b-n-east');
  assert.equal([nameOf('east/a'), nameOf('east/b')], ['a-n-east', 'b-n-east']);
});

test('a name shared within a cluster gets six digits of the key in each object, until only one is left', () => {
  const { set, delete: remove, nameOf, digits } = fleet(['east']);
  set('east/a', 'x-y-z-east');
  set('east/b', 'x-y-z-east');
  assert.is(nameOf('east/a'), `x-y-z-east-${digits('east/a')}`);
  assert.is(nameOf('east/b'), `x-y-z-east-${digits('east/b')}`);
  remove('east/b');
  assert.is(nameOf('east/a'), 'x-y-z-east');
});

test('a name that fits two clusters belongs to the longer cluster name, in any order of arrival', () => {
  // Mesh cp of namespace n-us in east, and mesh cp of namespace n in us-east.
  const { set, nameOf, digits } = fleet(['east', 'us-east']);
  set('east/cp', 'cp-n-us-east');
  const before = nameOf('east/cp');
  assert.is(before, `cp-n-us-east-${digits('east/cp')}`);
  set('us-east/cp', 'cp-n-us-east');
  assert.is(nameOf('us-east/cp'), 'cp-n-us-east');
  assert.is(nameOf('east/cp'), before);
});

test.run();
