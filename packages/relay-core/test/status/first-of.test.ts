/** The first of an order are those that sorting all would put first. */
import { assert, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { firstOf } from '../../src/status/first-of.ts';

test('as sorting does it, of equal items those that came first', () => {
  const items = fc.array(fc.record({ rank: fc.nat(5), name: fc.nat() }));
  const byRank = (a: { rank: number }, b: { rank: number }): number => a.rank - b.rank;
  fc.assert(
    fc.property(items, fc.nat(8), (all, most) => {
      assert.equal(firstOf(all, most, byRank), all.toSorted(byRank).slice(0, most));
    }),
  );
});

test.run();
