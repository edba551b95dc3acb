/** Reads under the reader's own key: exactly the readers of a changed value run again. */

import { key } from '@meshrelay/plugin';
import { assert, test } from '@meshrelay/testing';
import { createGraph } from '../../../src/mod.ts';
import { faults, freezingGraph, shown, write } from '../support/freezing-graph.ts';

test('an item runs again for the reads of its last run, not for those of an earlier one', () => {
  const graph = freezingGraph();
  const items = graph.source<{ readonly read: 'value' | 'presence' | 'nothing'; readonly n: number }>('items');
  const odd = graph.derive('odd', items, ({ n }) => (n % 2 === 1 ? { n } : undefined));
  const seen = graph.derive(
    'seen',
    graph.derive('looks', items, ({ read }) => read),
    (lookup, read, at) => {
      if (lookup === 'value') return read.get(odd, at)?.n ?? 0;
      return lookup === 'presence' ? read.has(odd, at) : true;
    },
  );
  const runs = (): number => graph.counters().get('seen')?.recomputed ?? 0;
  const after = (read: 'value' | 'presence' | 'nothing', n: number): number => {
    const before = runs();
    write(graph, items, { a: { read, n } });
    return runs() - before;
  };
  assert.is(after('value', 1), 1);
  assert.is(after('value', 3), 1, 'another value');
  assert.is(after('value', 4), 1, 'gone');
  assert.is(after('presence', 4), 1, 'its input changed');
  assert.is(after('presence', 5), 1, 'came');
  assert.is(after('presence', 7), 0, 'another value, and only presence was looked at');
  assert.is(after('nothing', 7), 1, 'its input changed');
  assert.is(after('nothing', 8), 0, 'deleted, and without a reader');
  assert.equal(shown(seen), { a: true });
});

test('reads beyond the bits of a number become edges', () => {
  const graph = createGraph();
  const items = graph.source<number>('items');
  const parts = Array.from({ length: 40 }, (_, nth) =>
    graph.derive(`part ${nth}`, items, (n) => (n >= nth ? n : undefined)),
  );
  const sum = graph.derive(
    'sum',
    graph.derive('one', items, () => 1),
    (_one, read, at) => parts.reduce((total, part) => total + (read.get(part, at) ?? 0), 0),
  );
  for (const n of [5, 39, 0, 20]) {
    graph.commit((transaction) => transaction.set(items, key('a'), n));
    assert.is(sum.get(key('a')), n * (n + 1));
  }
});

test('reused rows have no reads of their previous items', () => {
  const graph = freezingGraph();
  const items = graph.source<number>('items');
  const half = graph.derive('half', items, (n) => (n % 2 === 0 ? n / 2 : undefined));
  const reported = graph.derive('told', items, (n, read, at) => {
    if (n > 100) throw new Error('too many');
    return `${n}: ${read.get(half, at) ?? 'odd'}`;
  });
  write(graph, items, { a: 1, b: 2, c: 101 });
  assert.equal(shown(reported), { a: '1: odd', b: '2: 1' });
  write(graph, items, { a: undefined, b: undefined, c: undefined });
  write(graph, items, { d: 4, e: 5 });
  assert.equal(shown(reported), { d: '4: 2', e: '5: odd' });
  assert.equal(faults(graph), []);
});

test('reads under a key of the reader are not edges, in any collection or index', () => {
  const graph = freezingGraph();
  const parts = graph.source<{ readonly of: string; readonly n: number }>('parts');
  const items = graph.source<number>('items');
  const groups = graph.group('groups', parts, ({ of, n }) => [[key(of), n] as const]);
  const index = graph.index(parts, 'index', ({ of }) => [key(of)]);
  const sums = graph.derive(
    'sums',
    items,
    (n, read, at) => n + (read.get(groups, at) ?? []).reduce((a, b) => a + b, 0),
  );
  const there = graph.derive('there', items, (_n, read, at) => read.has(groups, at));
  const counts = graph.derive('counts', items, (_n, read, at) => read.count(index, at));
  const all = graph.derive('all', items, (_n, read, at) => read.by(index, at).map(([, { n }]) => n));
  const any = graph.derive('any', items, (_n, read, at) => read.any(index, at));
  const seen = () => [sums, there, counts, all, any].map((collection) => collection.get(key('a')));
  const runs = () => ['sums', 'there', 'counts', 'all', 'any'].map((name) => graph.counters().get(name)?.recomputed);
  write(graph, items, { a: 1, b: 1 });
  assert.equal(seen(), [1, false, 0, [], false]);
  assert.is(graph.sizes().get('read edges')?.['cells'], 0);
  write(graph, parts, { x: { of: 'a', n: 5 } });
  assert.equal(seen(), [6, true, 1, [5], true]);
  assert.equal(runs(), [3, 3, 3, 3, 3], 'only those of a');
  write(graph, parts, { x: { of: 'a', n: 6 } });
  assert.equal(seen(), [7, true, 1, [6], true]);
  assert.equal(runs(), [4, 3, 3, 4, 3], 'only those that look at values');
  write(graph, parts, { y: { of: 'a', n: 1 } });
  assert.equal(seen(), [8, true, 2, [6, 1], true]);
  assert.equal(runs(), [5, 3, 4, 5, 3]);
  write(graph, parts, { x: undefined, y: undefined });
  assert.equal(seen(), [1, false, 0, [], false]);
  write(graph, items, { a: undefined });
  write(graph, parts, { x: { of: 'a', n: 5 } });
  write(graph, items, { a: 2 });
  assert.equal(seen(), [7, true, 1, [5], true]);
  assert.equal(faults(graph), []);
});

test.run();
