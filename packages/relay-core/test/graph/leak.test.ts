/** No leaks: a graph that is emptied after use stores nothing. */

import { type Key, key } from '@meshrelay/plugin';
import { assert, test } from '@meshrelay/testing';
import { freezingGraph } from './support/freezing-graph.ts';

interface Item {
  readonly group: string;
  readonly candidateBuckets: string;
  readonly n: number;
}

test('after many changes and deleting everything, every structure is empty', () => {
  const graph = freezingGraph();
  const items = graph.source<Item>('items');
  const byGroup = graph.index(items, 'by group', (item) => [key(item.group), key('all')]);
  const flaky = graph.derive('flaky', items, (item, read) => {
    const seen = read.by(byGroup, key(item.candidateBuckets)).length + read.count(byGroup, key('all'));
    if ((item.n + seen) % 7 === 0) throw new Error(`fails at ${seen}`);
    return read.has(items, key(`${item.n}`)) ? item : { ...item, n: seen };
  });
  const many = graph.deriveMany('many', flaky, (item) => {
    const outputs: [Key, number][] = [[key('shared', `${item.n % 3}`), item.n]];
    if (item.n % 2 === 0) outputs.push([key('own', item.group, `${item.n}`), item.n]);
    return outputs;
  });
  const pairs = graph.match('pairs', items, flaky, {
    candidateBuckets: (item) => [key(item.candidateBuckets)],
    bucketsOf: (item) => [key(item.group)],
    matches: (a, b) => {
      if (a.n === b.n) throw new Error('twins');
      return a.n > b.n;
    },
  });
  const friends = graph.relate('friends', items, byGroup, {
    candidateBuckets: (item) => [key(item.candidateBuckets)],
    matches: (a, b) => a.n > b.n,
  });
  graph.derive('befriended', items, (item, read, at) => ({
    by: read.by(friends.lefts, at).length,
    others: read.count(friends.rights, key(`${item.n}`)),
    any: read.any(friends.lefts, key(`${item.n}`)),
  }));
  graph.group(
    'groups',
    pairs,
    (pair) => [[pair.left, pair.right] as const],
    (a, b) => {
      if (a.includes('13')) throw new Error('unlucky');
      return a.length - b.length;
    },
  );
  graph.join('union', [many, graph.derive('copies', many, (n) => n + 1)]);
  for (let round = 0; round < 30; round++) {
    graph.commit((transaction) => {
      for (let n = 0; n < 20; n++) {
        const nth = (round * 13 + n * 7) % 60;
        if ((round + n) % 3 === 0) transaction.delete(items, key(`${nth}`));
        else
          transaction.set(items, key(`${nth}`), {
            group: `g${nth % 5}`,
            candidateBuckets: `g${round % 5}`,
            n: (nth + round) % 20,
          });
      }
    });
  }
  assert.ok(graph.quarantined.size > 10, 'the history is rich in faults');
  assert.ok((graph.sizes().get('read edges')?.['cells'] ?? 0) > 10);
  graph.commit((transaction) => transaction.replaceAll(items, []));
  for (const [name, sizes] of graph.sizes()) {
    for (const [what, size] of Object.entries(sizes)) assert.is(size, 0, `${what} of ${name}`);
  }
});

test.run();
