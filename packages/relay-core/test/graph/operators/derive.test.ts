/**
 * derive: one output per item. A changed read triggers a run, an equal result stops propagation, a failed run
 * quarantines the item.
 */

import { key } from '@meshrelay/plugin';
import { assert, test } from '@meshrelay/testing';
import { createGraph } from '../../../src/mod.ts';
import { faultCodes, faults, freezingGraph, reported, shown, write } from '../support/freezing-graph.ts';

test('outputs follow their items; undefined means no output', () => {
  const graph = freezingGraph();
  const numbers = graph.source<number>('numbers');
  const halves = graph.derive('halves', numbers, (n) => (n % 2 === 0 ? n / 2 : undefined));
  write(graph, numbers, { a: 2, b: 3 });
  assert.equal(shown(halves), { a: 1 });
  const changes = write(graph, numbers, { a: 5, b: 8 });
  assert.equal(reported(changes.of(halves)).sort(), [
    ['a', 1, undefined],
    ['b', undefined, 4],
  ]);
  write(graph, numbers, { a: undefined, b: undefined });
  assert.is(halves.size, 0);
});

test('an item runs again only when a value that its last run read changes', () => {
  const graph = freezingGraph();
  const settings = graph.source<string>('settings');
  const items = graph.source<string>('items');
  const runs: string[] = [];
  const outputs = graph.derive('outputs', items, (value, read) => {
    runs.push(value);
    return read.has(settings, key('use')) ? `${value} ${read.get(settings, key(value))}` : value;
  });
  const ran = () => runs.splice(0).sort();
  write(graph, items, { x: 'x', y: 'y' });
  assert.equal(ran(), ['x', 'y']);
  write(graph, settings, { x: 'one' });
  assert.equal(ran(), [], 'no reader yet');
  write(graph, settings, { use: 'yes' });
  assert.equal(ran(), ['x', 'y']);
  write(graph, settings, { use: 'indeed' });
  assert.equal(ran(), [], 'has() sees presence alone');
  write(graph, settings, { x: 'two' });
  assert.equal(ran(), ['x']);
  assert.equal(shown(outputs), { x: 'x two', y: 'y undefined' });
  write(graph, settings, { use: undefined });
  ran();
  write(graph, settings, { x: 'three', y: 'three' });
  assert.equal(ran(), [], 'what is no longer looked at is forgotten');
});

test('equal parts of the previous value can keep their identity in the new one', () => {
  const graph = freezingGraph();
  const texts = graph.source<string>('texts');
  const words = graph.derive('words', texts, (text) => text.split(' ').map((word) => ({ word })), {
    reuse: (before, after) => after.map((one, nth) => (before[nth]?.word === one.word ? before[nth] : one)),
  });
  write(graph, texts, { a: 'one two' });
  const before = words.get(key('a'));
  write(graph, texts, { a: 'one three' });
  assert.equal(words.get(key('a')), [{ word: 'one' }, { word: 'three' }]);
  assert.is(words.get(key('a'))?.[0], before?.[0]);
  write(graph, texts, { a: 'four' });
  assert.equal(words.get(key('a')), [{ word: 'four' }]);
});

test('a value that cannot be compared with the previous one is an error, and the previous one stays', () => {
  const graph = freezingGraph();
  const texts = graph.source<string>('texts');
  const lengths = graph.derive('lengths', texts, (text) => text.length, {
    reuse: (_before, after) => {
      if (after === 3) throw new Error('three');
      return after;
    },
  });
  write(graph, texts, { a: 'ab' });
  write(graph, texts, { a: 'abc' });
  assert.is(lengths.get(key('a')), 2);
  assert.is(faults(graph).length, 1);
  write(graph, texts, { a: 'abcd' });
  assert.is(lengths.get(key('a')), 4);
  assert.is(faults(graph).length, 0);
});

test('an item with several dirty reads runs once', () => {
  const graph = freezingGraph();
  const a = graph.source<number>('a');
  const b = graph.derive('b', a, (n) => n + 1);
  const c = graph.derive('c', b, (n) => n * 2);
  let runs = 0;
  const sum = graph.derive('sum', a, (n, read, at) => {
    runs += 1;
    return n + (read.get(b, at) ?? 0) + (read.get(c, at) ?? 0);
  });
  write(graph, a, { x: 1 });
  write(graph, a, { x: 2 });
  assert.is(runs, 2);
  assert.equal(shown(sum), { x: 2 + 3 + 6 });
});

test('an equal result stops propagation and keeps the previous object', () => {
  const graph = freezingGraph();
  const numbers = graph.source<number>('numbers');
  const signs = graph.derive('signs', numbers, (n) => ({ sign: Math.sign(n) }));
  let runs = 0;
  graph.derive('later', signs, () => {
    runs += 1;
    return runs;
  });
  write(graph, numbers, { a: 1 });
  const before = signs.get(key('a'));
  const changes = write(graph, numbers, { a: 2 });
  assert.is(runs, 1);
  assert.is(signs.get(key('a')), before);
  assert.is(changes.of(signs).length, 0);
  assert.equal(graph.counters().get('signs'), { recomputed: 2, changed: 1, cutOff: 1 });
});

test('custom equality is used', () => {
  const graph = freezingGraph();
  const numbers = graph.source<number>('numbers');
  const equals = (a: { n: number }, b: { n: number }) => {
    if (b.n === 13) throw new Error('unlucky');
    return Math.floor(a.n / 10) === Math.floor(b.n / 10);
  };
  const tens = graph.derive('tens', numbers, (n) => ({ n }), { equals });
  write(graph, numbers, { a: 11 });
  write(graph, numbers, { a: 19 });
  assert.equal(shown(tens), { a: { n: 11 } });
  write(graph, numbers, { a: 13 });
  assert.equal(faults(graph), ['tens: a: unlucky']);
  write(graph, numbers, { a: 20 });
  assert.equal(shown(tens), { a: { n: 20 } });
  assert.equal(faults(graph), []);
});

test('if a transform throws, the last valid output stays until it succeeds or its item is deleted', () => {
  const graph = freezingGraph();
  const numbers = graph.source<number>('numbers');
  const limits = graph.source<number>('limits');
  const checked = graph.derive('checked', numbers, (n, read) => {
    if (n > (read.get(limits, key('max')) ?? 10)) throw new Error(`${n} is too much`);
    return n;
  });
  write(graph, numbers, { a: 1, b: 2 });
  const changes = write(graph, numbers, { a: 50, b: 3, c: 60 });
  assert.equal(shown(checked), { a: 1, b: 3 }, 'others continue; one that was never good has no output');
  assert.equal(faults(graph), ['checked: a: 50 is too much', 'checked: c: 60 is too much']);
  assert.is(changes.of(graph.quarantined).length, 2, 'quarantine is part of the change set');
  assert.is(write(graph, limits, { max: 40 }).size, 1, 'the same fault again is not a change');
  write(graph, limits, { max: 55 });
  assert.equal(shown(checked), { a: 50, b: 3 }, 'a failed run is tried again when what it read changes');
  assert.equal(faults(graph), ['checked: c: 60 is too much']);
  write(graph, numbers, { c: undefined });
  assert.equal(faults(graph), []);
});

test('a transform that breaks the rules is an error of its key alone', () => {
  const graph = freezingGraph();
  const items = graph.source<{ do: string; list: number[] }>('items');
  const leaks: (() => unknown)[] = [];
  const outputs = graph.derive('outputs', items, (value, read): unknown => {
    switch (value.do) {
      case 'promise':
        return Promise.reject(new Error('unawaited'));
      case 'mutate':
        return value.list.push(1);
      case 'later':
        return read.get(later, key('x'));
      case 'later, swallowed':
        try {
          return read.get(later, key('x'));
        } catch {
          return 'looks fine';
        }
      case 'self':
        return read.get(outputs, key('x'));
      case 'foreign':
        return read.get(otherClusters, key('x'));
      case 'commit':
        return graph.commit(() => undefined);
      case 'keep':
        leaks.push(() => read.get(items, key('fine')));
        return 'kept';
      default:
        return 'ok';
    }
  });
  const later = graph.source<number>('later');
  const otherClusters = createGraph().source<number>('elsewhere');
  const all = ['fine', 'promise', 'mutate', 'later', 'later, swallowed', 'self', 'foreign', 'commit', 'keep'];
  write(graph, items, Object.fromEntries(all.map((name) => [name, { do: name, list: [] }])));
  assert.equal(shown(outputs), { fine: 'ok', keep: 'kept' });
  assert.equal(faultCodes(graph), [
    'outputs commit GRAPH_E_BUSY',
    'outputs foreign GRAPH_E_WRONG_GRAPH',
    'outputs later GRAPH_E_ORDER',
    'outputs later, swallowed GRAPH_E_ORDER',
    'outputs mutate undefined',
    'outputs promise GRAPH_E_ASYNC',
    'outputs self GRAPH_E_ORDER',
  ]);
  assert.throws(() => leaks[0]?.(), /after its transform had ended/);
});

test.run();
