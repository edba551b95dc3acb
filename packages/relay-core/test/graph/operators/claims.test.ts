/** Claims on output keys: the lowest item key wins, in any order of additions and removals. */

import { type Key, key } from '@meshrelay/plugin';
import { assert, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { compareKeys } from '../../../src/graph/compare-keys.ts';
import { Claims } from '../../../src/graph/operators/claims.ts';

test('winner and losers depend on the claimants, not on the order of claims', () => {
  const items = ['a', 'b', 'c', 'd', 'e'].map((name) => key(name));
  fc.assert(
    fc.property(fc.array(fc.nat(4), { maxLength: 30 }), (toggles) => {
      const claims = new Claims<number>();
      const model = new Map<Key, number>();
      const output = key('out');
      for (const [nth, at] of toggles.entries()) {
        const item = items[at] as Key;
        if (model.delete(item)) claims.remove(output, item);
        else {
          model.set(item, nth);
          claims.add(output, item, nth);
        }
        const expected = [...model].sort((x, y) => compareKeys(x[0], y[0])).map(([of, value]) => ({ item: of, value }));
        assert.equal(claims.winner(output), expected[0]);
        assert.equal(claims.losers(output), expected.slice(1));
        for (const of of items) assert.is(claims.of(output, of)?.value, model.get(of));
        assert.is(claims.contested, expected.length > 1 ? 1 : 0);
        assert.is(claims.size, expected.length > 0 ? 1 : 0);
      }
    }),
  );
});

test.run();
