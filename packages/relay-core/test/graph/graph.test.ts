/** Creating a graph: rejected definitions and their messages. */

import { key } from '@meshrelay/plugin';
import { assert, test } from '@meshrelay/testing';
import { createGraph, GraphError } from '../../src/mod.ts';

function codeOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof GraphError) return error.code;
    throw error;
  }
  return 'nothing thrown';
}

test('names of nodes and indexes are unique', () => {
  const graph = createGraph();
  const source = graph.source('a');
  assert.is(
    codeOf(() => graph.source('a')),
    'GRAPH_E_NAME',
  );
  assert.is(
    codeOf(() => graph.index(source, 'a', () => [])),
    'GRAPH_E_NAME',
  );
});

test('nodes are created before the first commit, from collections of their own graph', () => {
  const graph = createGraph();
  const source = graph.source<number>('a');
  const otherClusters = createGraph();
  assert.is(
    codeOf(() => otherClusters.derive('b', source, (n) => n)),
    'GRAPH_E_WRONG_GRAPH',
  );
  assert.is(
    codeOf(() => otherClusters.commit((transaction) => transaction.set(source, key('x'), 1))),
    'GRAPH_E_WRONG_GRAPH',
  );
  assert.is(
    codeOf(() => graph.derive('b', graph.quarantined, (fault) => fault)),
    'GRAPH_E_ORDER',
  );
  graph.commit(() => undefined);
  assert.is(
    codeOf(() => graph.source('late')),
    'GRAPH_E_SEALED',
  );
});

test('an empty commit changes nothing', () => {
  const graph = createGraph();
  const source = graph.source<number>('a');
  const changes = graph.commit((transaction) => transaction.delete(source, key('x')));
  assert.is(changes.size, 0);
  assert.equal(changes.of(source), []);
});

test.run();
