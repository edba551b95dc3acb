/** Buckets: sorted when read, at any size; returned lists never change. */

import { type Key, key } from '@meshrelay/plugin';
import { assert, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { compareKeys } from '../../../src/graph/compare-keys.ts';
import { Bucket } from '../../../src/graph/indexes/bucket.ts';
import { KeyBytes } from '../../../src/graph/rows/key-bytes.ts';
import { KeyDictionary } from '../../../src/graph/rows/key-dictionary.ts';
import { Rows } from '../../../src/graph/rows/rows.ts';

const keys = Array.from({ length: 120 }, (_, n) => key(`k${n}`));
const toggle = fc.record({ key: fc.nat(keys.length - 1), value: fc.nat(3) });
/** Many writes between reads, or few. */
const rounds = fc.array(fc.array(toggle, { maxLength: 60, size: 'max' }), { maxLength: 8, size: 'max' });

/** A bucket and a plain map for comparison. Members have rows while they are present. */
function bucketed() {
  const rows = new Rows(new KeyBytes(new KeyDictionary()));
  const bucket = new Bucket<number>(rows);
  const model = new Map<Key, number>();
  const write = (at: Key, value: number): void => {
    if (value === 0) {
      if (!model.delete(at)) return;
      bucket.remove(rows.of(at));
      rows.free(rows.of(at));
      return;
    }
    const isMember = model.has(at);
    model.set(at, value);
    if (isMember) bucket.touch(rows.of(at));
    else bucket.add(rows.take(at));
  };
  return { rows, bucket, model, write, entries: () => bucket.entries((row) => model.get(rows.key(row))) };
}

test('entries are the members in key order with their values, after any history', () => {
  fc.assert(
    fc.property(rounds, fc.boolean(), (history, forgetful) => {
      const { rows, bucket, model, write, entries } = bucketed();
      for (const round of history) {
        for (const { key: nth, value } of round) write(keys[nth] as Key, value);
        const expected = [...model].sort((a, b) => compareKeys(a[0], b[0]));
        const before = entries();
        assert.equal(before, expected);
        assert.is(bucket.size, model.size);
        const members = [...bucket.members()].map((row) => rows.key(row));
        assert.equal(members.sort(compareKeys), [...model.keys()].sort(compareKeys));
        // The returned list must not change when the bucket does.
        write(keys[0] as Key, 9);
        entries();
        assert.equal(before, expected);
        rows.converge();
        if (forgetful) bucket.forgetEntries();
      }
    }),
  );
});

test('one change among many members reads one value', () => {
  const { rows, bucket, write, entries } = bucketed();
  for (const [nth, at] of keys.entries()) write(at, nth + 1);
  entries();
  let requested = 0;
  bucket.touch(rows.of(keys[50] as Key));
  bucket.entries(() => {
    requested += 1;
    return 7;
  });
  assert.is(requested, 1);
});

test.run();
