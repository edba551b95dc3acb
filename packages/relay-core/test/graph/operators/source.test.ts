/** Sources and transactions: the last write counts, an equal write is ignored, a failed transaction writes nothing. */

import { key } from '@meshrelay/plugin';
import { assert, test } from '@meshrelay/testing';
import { faults, freezingGraph, reported, shown, write } from '../support/freezing-graph.ts';

test('a transaction is one commit: the last write of each key counts', () => {
  const graph = freezingGraph();
  const source = graph.source<number>('numbers');
  write(graph, source, { retained: 1, gone: 1 });
  const changes = graph.commit((transaction) => {
    transaction.set(source, key('new'), 1);
    transaction.set(source, key('new'), 2);
    transaction.set(source, key('brief'), 1);
    transaction.delete(source, key('brief'));
    transaction.delete(source, key('gone'));
    transaction.delete(source, key('never there'));
    transaction.set(source, key('retained'), 1);
  });
  assert.equal(shown(source), { retained: 1, new: 2 });
  assert.equal(reported(changes.of(source)), [
    ['new', undefined, 2],
    ['gone', 1, undefined],
  ]);
  assert.is(changes.size, 2);
});

test('replaceAll leaves exactly its entries, and later writes of the transaction apply on top', () => {
  const graph = freezingGraph();
  const source = graph.source<object>('objects');
  write(graph, source, { a: { n: 1 }, b: { n: 2 } });
  const changes = graph.commit((transaction) => {
    transaction.set(source, key('c'), { n: 0 });
    transaction.replaceAll(source, [
      [key('a'), { n: 1 }],
      [key('d'), { n: 4 }],
    ]);
    transaction.set(source, key('e'), { n: 5 });
  });
  assert.equal(shown(source), { a: { n: 1 }, d: { n: 4 }, e: { n: 5 } });
  assert.equal(
    reported(changes.of(source)).map(([name]) => name),
    ['b', 'd', 'e'],
  );
});

test('a transaction that throws, or is not synchronous, writes nothing', () => {
  const graph = freezingGraph();
  const source = graph.source<number>('numbers');
  const total = graph.derive('total', source, (value) => value);
  assert.throws(
    () =>
      graph.commit((transaction) => {
        transaction.set(source, key('a'), 1);
        throw new Error('changed my mind');
      }),
    /changed my mind/,
  );
  assert.throws(
    () =>
      graph.commit((async (transaction: { set(...args: unknown[]): void }) => {
        transaction.set(source, key('a'), 1);
        throw new Error('late');
      }) as never),
    /returned a promise/,
  );
  assert.throws(
    () => graph.commit((transaction) => transaction.set(source, key('a'), undefined as never)),
    /cannot set/,
  );
  assert.throws(
    () => graph.commit((transaction) => transaction.set(total as never, key('a'), 1)),
    /total is computed, not a source/,
  );
  let retained: { set(...args: unknown[]): void } | undefined;
  graph.commit((transaction) => {
    retained = transaction as never;
  });
  assert.throws(() => retained?.set(source, key('a'), 1), /used after its commit/);
  assert.equal(shown(total), {});
  assert.is(write(graph, source, { b: 1 }).size, 2, 'and the next commit is untouched by all that');
});

test('a source uses its own equality, and reports one that throws', () => {
  const graph = freezingGraph();
  const source = graph.source<{ hash: string; body: number }>('hashed', {
    equals: (a, b) => {
      if (b.hash === 'bad') throw new Error('no such hash');
      return a.hash === b.hash;
    },
  });
  write(graph, source, { a: { hash: 'x', body: 1 } });
  assert.is(write(graph, source, { a: { hash: 'x', body: 2 } }).size, 0);
  assert.is(source.get(key('a'))?.body, 1);
  write(graph, source, { a: { hash: 'bad', body: 3 } });
  assert.equal(faults(graph), ['hashed: a: no such hash']);
  assert.is(source.get(key('a'))?.body, 1, 'the last good value stays');
  write(graph, source, { a: undefined });
  assert.equal(faults(graph), []);
});

test('entries are a snapshot at the time of the call', () => {
  const graph = freezingGraph();
  const source = graph.source<number>('numbers');
  write(graph, source, { a: 1, b: 2 });
  const entries = source.entries();
  write(graph, source, { a: undefined, b: 3, c: 4 });
  assert.equal(
    [...entries].map(([, value]) => value),
    [1, 2],
  );
});

test.run();
