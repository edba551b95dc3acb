/** Tables of pairs: both sides agree, and deleted pairs leave nothing behind. */
import { assert, test } from '@meshrelay/testing';
import { PairTable } from '../../../src/graph/rows/pair-table.ts';

test('pairs can be iterated from either side', () => {
  const [l1, l2, r1, r2] = [3, 4, 5, 6] as const;
  const pairs = new PairTable();
  pairs.add(l1, r1);
  pairs.add(l1, r2);
  pairs.add(l2, r1);
  assert.ok(pairs.has(l1, r1));
  assert.ok(pairs.hasRight(r2));
  assert.equal([...pairs.ofLeft(l1)].sort(), [r1, r2]);
  assert.equal([...pairs.ofRight(r1)], [l1, l2]);
  assert.equal([pairs.countOfLeft(l1), pairs.countOfLeft(7), pairs.countOfRight(r1)], [2, 0, 2]);
  assert.not(pairs.has(l2, r2));
  pairs.delete(l2, r2);
  pairs.delete(l1, r1);
  assert.not(pairs.has(l1, r1));
  assert.equal([...pairs.ofRight(r1)], [l2]);
  pairs.delete(l1, r2);
  pairs.delete(l2, r1);
  assert.is(pairs.size, 0);
  assert.not(pairs.hasRight(r1));
  assert.equal([...pairs.ofLeft(7)], []);
});

test.run();
