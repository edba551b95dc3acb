/**
 * Listeners: called for every finished commit in order; they may commit, and an error of one does not affect others.
 */

import { key } from '@meshrelay/plugin';
import { assert, test } from '@meshrelay/testing';
import { freezingGraph, write } from '../support/freezing-graph.ts';

test('a listener may commit: every listener gets both commits in order', () => {
  const graph = freezingGraph();
  const numbers = graph.source<number>('numbers');
  const heard: string[] = [];
  graph.subscribe((changes) => {
    const value = changes.of(numbers)[0]?.after;
    heard.push(`first ${value}`);
    if (value === 1) write(graph, numbers, { a: 2 });
  });
  const stop = graph.subscribe((changes) => heard.push(`second ${changes.of(numbers)[0]?.after}`));
  write(graph, numbers, { a: 1 });
  assert.equal(heard, ['first 1', 'second 1', 'first 2', 'second 2']);
  stop();
  write(graph, numbers, { a: 3 });
  assert.equal(heard.slice(4), ['first 3']);
});

test('a listener that throws hides nothing from others; the commit is published and reports the error', () => {
  const graph = freezingGraph();
  const numbers = graph.source<number>('numbers');
  let heard = 0;
  graph.subscribe(() => {
    throw new Error('deaf');
  });
  graph.subscribe(() => {
    heard += 1;
  });
  try {
    write(graph, numbers, { a: 1 });
    assert.unreachable();
  } catch (error) {
    assert.is((error as { code?: string }).code, 'GRAPH_E_LISTENER');
    assert.is(((error as Error).cause as Error).message, 'deaf');
  }
  assert.is(heard, 1);
  assert.is(numbers.get(key('a')), 1);
});

test.run();
