/** deriveMany: outputs with their own keys, which can move between items; a duplicate key is reported. */

import { type Key, key } from '@meshrelay/plugin';
import { assert, test } from '@meshrelay/testing';
import { faultCodes, freezingGraph, reported, shown, write } from '../support/freezing-graph.ts';

type Given = Readonly<Record<string, number>>;

function outputsOf(given: Given): (readonly [Key, { n: number }])[] {
  return Object.entries(given).map(([name, n]) => [key(name), { n }] as const);
}

function make() {
  const graph = freezingGraph();
  const items = graph.source<Given>('items');
  const outputs = graph.deriveMany('outputs', items, outputsOf);
  return { graph, items, outputs };
}

test('outputs are added, changed and removed with their item', () => {
  const { graph, items, outputs } = make();
  write(graph, items, { a: { x: 1, y: 2 } });
  const changes = write(graph, items, { a: { y: 3, z: 4 } });
  assert.equal(reported(changes.of(outputs)).sort(), [
    ['x', { n: 1 }, undefined],
    ['y', { n: 2 }, { n: 3 }],
    ['z', undefined, { n: 4 }],
  ]);
  write(graph, items, { a: {} });
  assert.is(outputs.size, 0);
});

test('a key moves from one item to another within a commit; an equal value is not a change', () => {
  const { graph, items, outputs } = make();
  write(graph, items, { a: { k: 1 }, b: {} });
  const value = outputs.get(key('k'));
  assert.is(write(graph, items, { a: {}, b: { k: 1 } }).of(outputs).length, 0);
  assert.is(outputs.get(key('k')), value);
  const changes = write(graph, items, { a: { k: 2 }, b: undefined });
  assert.equal(reported(changes.of(outputs)), [['k', { n: 1 }, { n: 2 }]]);
  assert.equal(faultCodes(graph), []);
});

test('if two items return one key, the lower item key wins; the other is reported, and its other outputs stay', () => {
  const { graph, items, outputs } = make();
  write(graph, items, { b: { k: 2, own: 2 } });
  write(graph, items, { a: { k: 1 } });
  assert.equal(shown(outputs), { k: { n: 1 }, own: { n: 2 } });
  assert.equal(faultCodes(graph), ['outputs b GRAPH_E_DUPLICATE']);
  write(graph, items, { c: { k: 3 } });
  assert.equal(faultCodes(graph), ['outputs b GRAPH_E_DUPLICATE', 'outputs c GRAPH_E_DUPLICATE']);
  write(graph, items, { a: undefined });
  assert.equal(shown(outputs), { k: { n: 2 }, own: { n: 2 } });
  assert.equal(faultCodes(graph), ['outputs c GRAPH_E_DUPLICATE']);
  write(graph, items, { c: { k: 4, other: 4 } });
  assert.equal(shown(outputs), { k: { n: 2 }, other: { n: 4 }, own: { n: 2 } }, 'a losing value shows nowhere');
  write(graph, items, { b: undefined });
  assert.equal(shown(outputs), { k: { n: 4 }, other: { n: 4 } });
  assert.equal(faultCodes(graph), []);
});

test('a failed run keeps all outputs of its item', () => {
  const graph = freezingGraph();
  const items = graph.source<string>('items');
  const outputs = graph.deriveMany<string, number>('outputs', items, function* (value) {
    yield [key(value), 1];
    if (value === 'twice') yield [key(value), 2];
    if (value === 'throws') throw new Error('half way');
    if (value === 'nothing') yield undefined as never;
    if (value === 'undefined') yield [key('u'), undefined as never];
    if (value === 'promise') yield [key('p'), Promise.resolve(1) as never];
  });
  write(graph, items, { a: 'good' });
  for (const [bad, code] of [
    ['twice', 'GRAPH_E_DUPLICATE'],
    ['throws', 'undefined'],
    ['nothing', 'GRAPH_E_OUTPUT'],
    ['undefined', 'GRAPH_E_OUTPUT'],
    ['promise', 'GRAPH_E_ASYNC'],
  ] as const) {
    write(graph, items, { a: bad });
    assert.equal(shown(outputs), { good: 1 }, bad);
    assert.equal(faultCodes(graph), [`outputs a ${code}`]);
  }
  write(graph, items, { a: 'better' });
  assert.equal(shown(outputs), { better: 1 });
  assert.equal(faultCodes(graph), []);
});

test('a transform that is async, or returns nothing iterable, is an error', () => {
  const graph = freezingGraph();
  const items = graph.source<number>('items');
  graph.deriveMany('async', items, (async () => []) as never);
  graph.deriveMany('nothing', items, (() => undefined) as never);
  write(graph, items, { a: 1 });
  assert.equal(faultCodes(graph), ['async a GRAPH_E_ASYNC', 'nothing a GRAPH_E_OUTPUT']);
});

test('very many items with one key cost no more than sorting them', () => {
  const { graph, items, outputs } = make();
  const many = Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`i${String(n).padStart(4, '0')}`, { k: n }]));
  write(graph, items, many);
  assert.equal(outputs.get(key('k')), { n: 0 });
  assert.is(graph.quarantined.size, 4999);
  const changes = write(graph, items, { i2500: { k: -1 } });
  assert.is(changes.size, 1, 'a change of one loser is a change of nothing else');
});

test.run();
