/** Relative weights as whole percents, for APIs that accept nothing else. */

import { assert, scaledRuns, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { percentShares } from '../src/mod.ts';

const cases: ReadonlyArray<readonly [weights: readonly number[], shares: readonly number[]]> = [
  [[], []],
  [[7], [100]],
  [
    [90, 10],
    [90, 10],
  ],
  [
    [1, 1, 1],
    [34, 33, 33],
  ],
  [
    [1, 2],
    [33, 67],
  ],
  [
    [0, 1, 0],
    [0, 100, 0],
  ],
  [
    [1, 1_000_000],
    [0, 100],
  ],
];

for (const [weights, shares] of cases)
  test(`weights of ${weights.join(', ') || 'nothing'} as percents`, () => assert.equal(percentShares(weights), shares));

const weighing = fc
  .array(fc.oneof(fc.constant(0), fc.nat(10), fc.nat(1_000_000)), { minLength: 1, maxLength: 200 })
  .filter((weights) => weights.some((weight) => weight > 0));

test('percents sum to 100, differ by less than one, and keep order and zero weights', () => {
  fc.assert(
    fc.property(weighing, (weights) => {
      const shares = percentShares(weights);
      const sum = weights.reduce((total, weight) => total + weight, 0);
      assert.is(
        shares.reduce((total, share) => total + share, 0),
        100,
      );
      const each = weights.map((weight, nth) => ({ weight, share: shares[nth] ?? Number.NaN }));
      for (const { weight, share } of each) {
        assert.ok(Number.isInteger(share) && Math.abs(share - (weight * 100) / sum) < 1, `${share} of ${weight}`);
        if (weight === 0) assert.is(share, 0);
      }
      const byWeight = each.toSorted((a, b) => a.weight - b.weight || a.share - b.share);
      assert.equal(
        byWeight.map(({ share }) => share),
        each.map(({ share }) => share).toSorted((a, b) => a - b),
      );
    }),
    { numRuns: scaledRuns(500) },
  );
});

test.run();
