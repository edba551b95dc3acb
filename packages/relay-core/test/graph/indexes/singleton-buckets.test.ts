/** Indexes whose buckets share a hash: the members distinguish them. */

import { type Key, key } from '@meshrelay/plugin';
import { assert, scaledRuns, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { textHash } from '../../../src/text/text-hash.ts';
import { faults, freezingGraph } from '../support/freezing-graph.ts';
import { sameHash } from '../support/same-hash.ts';

const [one, twin] = sameHash;
const BUCKETS = [one, twin, 'third'];
const ITEMS = ['a', 'b', 'c'];

test('the two names share a hash', () => {
  assert.is.not(one, twin);
  assert.is(textHash(key(one)), textHash(key(twin)));
});

test('after any changes each bucket has exactly its members', () => {
  const existing = fc.option(fc.uniqueArray(fc.constantFrom(...BUCKETS, 'bad')), { nil: undefined });
  const commit = fc.dictionary(fc.constantFrom(...ITEMS), existing, { maxKeys: 3 });
  fc.assert(
    fc.property(fc.array(commit, { maxLength: 12 }), (commits) => {
      const graph = freezingGraph();
      const items = graph.source<readonly string[]>('items');
      const index = graph.index(items, 'by bucket', (buckets) => {
        if (buckets.includes('bad')) throw new Error('unknown bucket');
        return buckets.map((bucket) => key(bucket));
      });
      const requested = graph.source<string>('asked');
      const counts = graph.derive('counts', requested, (bucket, read) => read.count(index, key(bucket)));
      graph.commit((transaction) => {
        for (const bucket of BUCKETS) transaction.set(requested, key(bucket), bucket);
      });
      const good = new Map<string, readonly string[]>();
      for (const changes of commits) {
        graph.commit((transaction) => {
          for (const [item, buckets] of Object.entries(changes))
            if (buckets === undefined) transaction.delete(items, key(item));
            else transaction.set(items, key(item), buckets);
        });
        for (const [item, buckets] of Object.entries(changes)) {
          if (buckets === undefined) good.delete(item);
          else if (!buckets.includes('bad')) good.set(item, buckets);
          else if (!good.has(item)) good.set(item, []);
        }
        for (const bucket of BUCKETS) {
          const expected = [...good].filter(([, buckets]) => buckets.includes(bucket)).map(([item]) => key(item));
          const found: Key[] = index.entriesOf(key(bucket)).map(([item]) => item);
          assert.equal(found, expected.sort());
          assert.is(counts.get(key(bucket)) ?? 0, expected.length);
        }
      }
      assert.is(faults(graph).length, [...items.entries()].filter(([, buckets]) => buckets.includes('bad')).length);
    }),
    { numRuns: scaledRuns(300) },
  );
});

test.run();
