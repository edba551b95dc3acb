/** The first of an order are those that sorting all would put first. */
import { assert, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { firstOf, firstOfSorted } from '../../src/status/first-of.ts';

const items = fc.array(fc.record({ rank: fc.nat(5), name: fc.nat() }));
const byRank = (a: { rank: number }, b: { rank: number }): number => a.rank - b.rank;

test('as sorting does it, of equal items those that came first', () => {
  fc.assert(
    fc.property(items, fc.nat(8), (all, most) => {
      assert.equal(firstOf(all, most, byRank), all.toSorted(byRank).slice(0, most));
    }),
  );
});

test('of sorted lists the same as of all they hold', () => {
  const most = fc.oneof(fc.nat(8), fc.constant(Number.POSITIVE_INFINITY));
  fc.assert(
    fc.property(fc.array(items), most, (lists, most) => {
      const sorted = lists.map((list) => list.toSorted(byRank));
      assert.equal(firstOfSorted(sorted, most, byRank), sorted.flat().toSorted(byRank).slice(0, most));
    }),
  );
});

test.run();
