/** Mapped collections for outside readers. */

import { key } from '@meshrelay/plugin';
import { assert, test } from '@meshrelay/testing';
import { createGraph } from '../../src/graph/graph.ts';
import { MappedCollection } from '../../src/graph/shown.ts';

test('each value is mapped on demand, including those of a change', () => {
  const graph = createGraph();
  const numbers = graph.source<number>('numbers');
  let made = 0;
  const shown = new MappedCollection(numbers, (value, at) => {
    made += 1;
    return `${at} is ${value}`;
  });
  const heard: unknown[] = [];
  graph.subscribe((changes) => {
    const before = made;
    const list = changes.of(shown);
    assert.is(made, before, 'asking what changed makes nothing');
    for (const { key: at, before: old, after } of list) heard.push([at, old, after]);
  });
  graph.commit((transaction) => transaction.set(numbers, key('a'), 1));
  graph.commit((transaction) => transaction.set(numbers, key('a'), 2));
  graph.commit((transaction) => transaction.delete(numbers, key('a')));
  assert.equal(heard, [
    ['["a"]', undefined, '["a"] is 1'],
    ['["a"]', '["a"] is 1', '["a"] is 2'],
    ['["a"]', '["a"] is 2', undefined],
  ]);
  graph.commit((transaction) => transaction.set(numbers, key('b'), 3));
  assert.is(shown.get(key('b')), '["b"] is 3');
  assert.is(shown.get(key('a')), undefined);
  assert.equal([shown.has(key('b')), shown.has(key('a')), shown.size], [true, false, 1]);
  assert.equal([...shown.entries()], [['["b"]', '["b"] is 3']]);
});

test.run();
