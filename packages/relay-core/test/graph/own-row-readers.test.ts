/** Looks at one's own row: who looked is woken, by what it looked at, and nobody else. */
import { assert, test } from '@meshrelay/testing';
import { createGraph, key } from '../../src/mod.ts';
import { faults, freezingGraph, shown, write } from './support/freezing-graph.ts';

test('an item runs again for what its last run looked at, not for what an earlier one did', () => {
  const graph = freezingGraph();
  const items = graph.source<{ readonly look: 'value' | 'presence' | 'nothing'; readonly n: number }>('items');
  const odd = graph.derive('odd', items, ({ n }) => (n % 2 === 1 ? { n } : undefined));
  const seen = graph.derive(
    'seen',
    graph.derive('looks', items, ({ look }) => look),
    (look, read, at) => {
      if (look === 'value') return read.get(odd, at)?.n ?? 0;
      return look === 'presence' ? read.has(odd, at) : true;
    },
  );
  const runs = (): number => graph.counters().get('seen')?.recomputed ?? 0;
  const after = (look: 'value' | 'presence' | 'nothing', n: number): number => {
    const before = runs();
    write(graph, items, { a: { look, n } });
    return runs() - before;
  };
  assert.is(after('value', 1), 1);
  assert.is(after('value', 3), 1, 'another value');
  assert.is(after('value', 4), 1, 'gone');
  assert.is(after('presence', 4), 1, 'its input changed');
  assert.is(after('presence', 5), 1, 'came');
  assert.is(after('presence', 7), 0, 'another value, and only presence was looked at');
  assert.is(after('nothing', 7), 1, 'its input changed');
  assert.is(after('nothing', 8), 0, 'gone, and nobody looks');
  assert.equal(shown(seen), { a: true });
});

test('more looks than a number has bits are edges like any others', () => {
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

test('rows are used again without a trace of who stood there', () => {
  const graph = freezingGraph();
  const items = graph.source<number>('items');
  const half = graph.derive('half', items, (n) => (n % 2 === 0 ? n / 2 : undefined));
  const told = graph.derive('told', items, (n, read, at) => {
    if (n > 100) throw new Error('too many');
    return `${n}: ${read.get(half, at) ?? 'odd'}`;
  });
  write(graph, items, { a: 1, b: 2, c: 101 });
  assert.equal(shown(told), { a: '1: odd', b: '2: 1' });
  write(graph, items, { a: undefined, b: undefined, c: undefined });
  write(graph, items, { d: 4, e: 5 });
  assert.equal(shown(told), { d: '4: 2', e: '5: odd' });
  assert.equal(faults(graph), []);
});

test.run();
