/** explain: the reads of an item, found without any change. */

import { key } from '@meshrelay/plugin';
import { assert, test } from '@meshrelay/testing';
import { freezingGraph, write } from './support/freezing-graph.ts';

function make() {
  const graph = freezingGraph();
  const numbers = graph.source<number>('numbers');
  const byParity = graph.index(numbers, 'by parity', (n) => [key(`${n % 2}`)]);
  const sums = graph.derive('sums', numbers, (n, read, at) => {
    if (n === 13) throw new Error('unlucky');
    const others = read.by(byParity, key(`${n % 2}`)).length + read.count(byParity, key('0'));
    return n + others + (read.get(numbers, at) ?? 0) + (read.has(numbers, key('x')) ? 1 : 0);
  });
  const many = graph.deriveMany('many', sums, (n, read) => [[key('sum', `${n}`), read.get(numbers, key('a'))]]);
  const pairs = graph.match('pairs', numbers, sums, {
    candidateBuckets: () => [key('all')],
    bucketsOf: () => [key('all')],
    matches: (a, b) => a < b,
  });
  const groups = graph.group('groups', pairs, (pair) => [[pair.left, pair.right] as const]);
  const union = graph.join('union', [numbers, sums]);
  write(graph, numbers, { a: 2, b: 13 });
  return { graph, numbers, sums, many, pairs, groups, union };
}

test('a derived item lists each read once, in order', () => {
  const { graph, sums } = make();
  assert.equal(graph.explain(sums, key('a')), {
    node: 'sums',
    key: key('a'),
    input: 'numbers',
    reads: [
      { collection: 'by parity', key: key('0'), via: 'by' },
      { collection: 'by parity', key: key('0'), via: 'count' },
      { collection: 'numbers', key: key('a'), via: 'get' },
      { collection: 'numbers', key: key('x'), via: 'has' },
    ],
    outputs: [[key('a'), 6]],
  });
});

test('a failing item shows its error; a missing one has no explanation', () => {
  const { graph, sums } = make();
  const failing = graph.explain(sums, key('b'));
  assert.match(String(failing?.error), /unlucky/);
  assert.equal(failing?.outputs, []);
  assert.is(graph.explain(sums, key('z')), undefined);
});

test('outputs lead to their inputs, in every kind of node', () => {
  const { graph, numbers, many, pairs, groups, union } = make();
  const get = (collection: string, name: string) => ({ collection, key: key(name), via: 'get' as const });
  assert.equal(graph.explain(many, key('sum', '6'))?.key, key('a'), 'an output key leads to its item');
  assert.equal(graph.explain(many, key('a'))?.outputs, [[key('sum', '6'), 2]]);
  assert.equal(graph.explain(pairs, key(key('a'), key('a')))?.reads, [get('numbers', 'a'), get('sums', 'a')]);
  assert.equal(graph.explain(groups, key('a'))?.reads, [
    { collection: 'pairs', key: key(key('a'), key('a')), via: 'get' },
  ]);
  assert.equal(graph.explain(union, key('a'))?.reads, [get('numbers', 'a'), get('sums', 'a')]);
  assert.equal(graph.explain(numbers, key('a')), {
    node: 'numbers',
    key: key('a'),
    reads: [],
    outputs: [[key('a'), 2]],
  });
});

test('explaining changes no counters and leaves no edges', () => {
  const { graph, sums, many } = make();
  const before = JSON.stringify([[...graph.counters()], [...graph.sizes()]]);
  graph.explain(sums, key('a'));
  graph.explain(sums, key('b'));
  graph.explain(many, key('a'));
  assert.is(JSON.stringify([[...graph.counters()], [...graph.sizes()]]), before);
});

test.run();
