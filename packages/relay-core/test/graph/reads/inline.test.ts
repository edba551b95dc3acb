/** inline: values are computed on each read, and not stored. */

import { key } from '@meshrelay/plugin';
import { assert, test } from '@meshrelay/testing';
import { freezingGraph, shown, write } from '../support/freezing-graph.ts';

function make() {
  const graph = freezingGraph();
  const numbers = graph.source<number>('numbers');
  const factors = graph.source<number>('factors');
  const products = graph.inline('products', numbers, (n, read, at) => {
    if (n === 13) throw new Error('unlucky');
    return n === 0 ? undefined : n * (read.get(factors, at) ?? 1);
  });
  const texts = graph.inline('texts', products, (n) => `${n}`);
  const retained = graph.derive('kept', texts, (text) => ({ text }));
  const first = graph.derive('first', factors, (_factor, read) => read.get(texts, key('a')) ?? 'none');
  const runs = (node: string): number => graph.counters().get(node)?.recomputed ?? 0;
  return { graph, numbers, factors, products, texts, retained, first, runs };
}

test('nodes with this input, runs that read it and outside readers see the values that derive would give', () => {
  const { graph, numbers, factors, products, texts, retained, first } = make();
  write(graph, numbers, { a: 2, b: 3, zero: 0 });
  write(graph, factors, { a: 5, x: 1 });
  assert.equal(shown(retained), { a: { text: '10' }, b: { text: '3' } });
  assert.equal(shown(first), { a: '10', x: '10' });
  assert.equal(shown(products), { a: 10, b: 3 });
  assert.is(texts.size, 2);
  assert.is(texts.get(key('zero')), undefined);
  assert.is(texts.has(key('b')), true);
});

test('a run reads everything the value is computed from, and runs for nothing else', () => {
  const { graph, numbers, factors, runs } = make();
  write(graph, numbers, { a: 2, b: 3 });
  write(graph, factors, { x: 1 });
  const before = { retained: runs('kept'), first: runs('first') };
  write(graph, factors, { b: 7 });
  assert.is(runs('kept') - before.retained, 1, 'its own factor');
  assert.is(runs('first') - before.first, 1, 'the new item alone');
  write(graph, numbers, { a: 4 });
  assert.is(runs('first') - before.first, 3, 'both look at what is made of it');
});

test('a value that cannot be computed fails the runs that read it', () => {
  const { graph, numbers, retained } = make();
  write(graph, numbers, { a: 2 });
  write(graph, numbers, { a: 13 });
  assert.equal(shown(retained), { a: { text: '2' } });
  assert.equal(
    [...graph.quarantined.entries()].map(([, { node }]) => node),
    ['kept'],
  );
  write(graph, numbers, { a: 3 });
  assert.is(graph.quarantined.size, 0);
});

test('an explanation lists everything the value is computed from', () => {
  const { graph, numbers, texts } = make();
  write(graph, numbers, { a: 2 });
  assert.equal(graph.explain(texts, key('a')), {
    node: 'texts',
    key: key('a'),
    input: 'numbers',
    reads: [{ collection: 'factors', key: key('a'), via: 'get' }],
    outputs: [[key('a'), '2']],
  });
  assert.is(graph.explain(texts, key('b')), undefined);
});

test('nodes that need stored values reject it', () => {
  const { graph, texts } = make();
  assert.throws(() => graph.index(texts, 'by text', (text) => [key(text)]), /texts is inline and stores no values/);
});

test.run();
