/** Items that know their buckets: lookups in both directions agree. */

import { key } from '@meshrelay/plugin';
import { assert, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { PlacedItems } from '../../../src/graph/indexes/located-items.ts';
import { Rows } from '../../../src/graph/rows/rows.ts';

const keys = ['a', 'b', 'c', 'd'].map((name) => key(name));
const rows = new Rows();
for (const one of keys) rows.take(one);
const items = keys.map((one) => rows.of(one));
const placing = fc.record({ item: fc.constantFrom(...items), buckets: fc.subarray(keys) });

test('buckets have the items placed in them', () => {
  fc.assert(
    fc.property(fc.array(placing), (placings) => {
      const placed = new PlacedItems(rows);
      const model = new Map<number, readonly string[]>();
      for (const { item, buckets } of placings) {
        placed.place(item, buckets);
        model.set(item, buckets);
      }
      const existing = [...model].filter(([, buckets]) => buckets.length > 0);
      for (const bucket of keys) {
        const members = existing.filter(([, buckets]) => buckets.includes(bucket)).map(([item]) => item);
        assert.equal([...placed.membersOf(bucket)].sort(), members.sort());
        assert.is(placed.has(bucket), members.length > 0);
      }
      for (const item of items) assert.equal(placed.bucketsOf(item), model.get(item) ?? []);
      assert.equal(placed.sizes, {
        placed: existing.length,
        buckets: new Set(existing.flatMap(([, buckets]) => buckets)).size,
      });
    }),
  );
});

test.run();
