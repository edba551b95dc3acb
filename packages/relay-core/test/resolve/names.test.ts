/** Names of discovered objects: as they are where they are alone, with six digits where they are not. */
import { assert, test } from '@meshrelay/testing';
import { createGraph, key, uniqueNames } from '../../src/mod.ts';
import { sha256 } from '../support/hash.ts';

function named(bases: Readonly<Record<string, string>>): Record<string, string | undefined> {
  const graph = createGraph();
  const items = graph.source<string>('items');
  const names = uniqueNames(graph, 'names', items, (base) => base, sha256);
  graph.commit((transaction) => {
    for (const [id, base] of Object.entries(bases)) transaction.set(items, key(id), base);
  });
  return Object.fromEntries(Object.keys(bases).map((id) => [id, names.get(key(id))]));
}

test('a name of its own stays as it is', () => {
  assert.equal(named({ a: 'x', b: 'y' }), { a: 'x', b: 'y' });
});

test('a name that several would have gets six digits of the key in each', () => {
  const { a, b, c } = named({ a: 'x', b: 'x', c: 'y' });
  assert.is(a, `x-${sha256(key('a')).slice(0, 6)}`);
  assert.is(b, `x-${sha256(key('b')).slice(0, 6)}`);
  assert.is(c, 'y');
});

test('when the other goes, the digits go', () => {
  const graph = createGraph();
  const items = graph.source<string>('items');
  const names = uniqueNames(graph, 'names', items, (base) => base, sha256);
  graph.commit((transaction) => {
    transaction.set(items, key('a'), 'x');
    transaction.set(items, key('b'), 'x');
  });
  graph.commit((transaction) => transaction.delete(items, key('b')));
  assert.is(names.get(key('a')), 'x');
});

test.run();
