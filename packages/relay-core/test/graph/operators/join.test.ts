/** join: the union of collections; the first input keeps a shared key. */
import { assert, test } from '@meshrelay/testing';
import { faultCodes, faults, freezingGraph, reported, shown, write } from '../support/freezing-graph.ts';

function make() {
  const graph = freezingGraph();
  const first = graph.source<{ n: number }>('first');
  const second = graph.source<{ n: number }>('second');
  const both = graph.join('both', [first, second]);
  return { graph, first, second, both };
}

test('every input is visible, and a key can move between inputs without a change', () => {
  const { graph, first, second, both } = make();
  write(graph, first, { a: { n: 1 } });
  write(graph, second, { b: { n: 2 } });
  assert.equal(shown(both), { a: { n: 1 }, b: { n: 2 } });
  const changes = graph.commit((transaction) => {
    transaction.replaceAll(first, []);
    transaction.replaceAll(second, [...first.entries(), ...second.entries()]);
  });
  assert.is(changes.of(both).length, 0);
  assert.equal(shown(both), { a: { n: 1 }, b: { n: 2 } });
});

test('the first input keeps a shared key in any order of arrival, and the conflict is reported', () => {
  const { graph, first, second, both } = make();
  write(graph, second, { a: { n: 2 } });
  const changes = write(graph, first, { a: { n: 1 } });
  assert.equal(reported(changes.of(both)), [['a', { n: 2 }, { n: 1 }]]);
  assert.equal(faultCodes(graph), ['both a GRAPH_E_DUPLICATE']);
  assert.is(write(graph, second, { a: { n: 3 } }).of(both).length, 0);
  write(graph, first, { a: undefined });
  assert.equal(shown(both), { a: { n: 3 } });
  assert.equal(faultCodes(graph), []);
});

test('values that cannot be compared are an error of their key, not of the commit', () => {
  const graph = freezingGraph();
  const never = { equals: () => false };
  const numbers = graph.source<number>('numbers');
  const cyclic = graph.derive('cyclic', numbers, () => cycle(), never);
  const both = graph.join('both', [cyclic]);
  const groups = graph.group('groups', cyclic, (value) => [['["g"]', value]]);
  write(graph, numbers, { a: 1 });
  write(graph, numbers, { a: 3, b: 2 });
  assert.equal(
    faults(graph).map((fault) => fault.replace(/: Maximum.*/, '')),
    ['both: a', 'groups: a'],
  );
  assert.is(both.size, 2);
  assert.is(groups.size, 1);
});

function cycle(): object {
  const value: { self?: object } = {};
  value.self = value;
  return value;
}

test.run();
