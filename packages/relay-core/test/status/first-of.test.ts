/** The first items are those that sorting all would put first. */
import { assert, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { firstOf, firstOfSorted } from '../../src/status/first-of.ts';

const items = fc.array(fc.record({ rank: fc.nat(5), name: fc.nat() }));
const byRank = (a: { rank: number }, b: { rank: number }): number => a.rank - b.rank;

test('the result equals sorting; of equal items, the earlier come first', () => {
  fc.assert(
    fc.property(items, fc.nat(8), (all, max) => {
      assert.equal(firstOf(all, max, byRank), all.toSorted(byRank).slice(0, max));
    }),
  );
});

test('sorted lists give the same result as all their items', () => {
  const max = fc.oneof(fc.nat(8), fc.constant(Number.POSITIVE_INFINITY));
  fc.assert(
    fc.property(fc.array(items), max, (lists, max) => {
      const sorted = lists.map((list) => list.toSorted(byRank));
      assert.equal(firstOfSorted(sorted, max, byRank), sorted.flat().toSorted(byRank).slice(0, max));
    }),
  );
});

test.run();
