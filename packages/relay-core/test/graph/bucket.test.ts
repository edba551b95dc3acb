/** Buckets: sorted when read, whatever their size, and never changing what they handed out. */
import { assert, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { Bucket } from '../../src/graph/bucket.ts';
import { compareKeys, type Key, key } from '../../src/graph/key.ts';

const keys = Array.from({ length: 120 }, (_, n) => key(`k${n}`));
const toggle = fc.record({ key: fc.nat(keys.length - 1), value: fc.nat(3) });
/** Many writes between reads, or few. */
const rounds = fc.array(fc.array(toggle, { maxLength: 60, size: 'max' }), { maxLength: 8, size: 'max' });

test('entries are the members in key order with their values, after any history', () => {
  fc.assert(
    fc.property(rounds, (history) => {
      const bucket = new Bucket<number>();
      const model = new Map<Key, number>();
      for (const round of history) {
        for (const { key: nth, value } of round) write(bucket, model, keys[nth] as Key, value);
        const expected = [...model].sort((a, b) => compareKeys(a[0], b[0]));
        const before = bucket.entries((at) => model.get(at));
        assert.equal(before, expected);
        assert.is(bucket.size, model.size);
        assert.equal([...bucket.members()].sort(compareKeys), [...model.keys()].sort(compareKeys));
        // The list just handed out stays as it is while the bucket goes on.
        write(bucket, model, keys[0] as Key, 9);
        bucket.entries((at) => model.get(at));
        assert.equal(before, expected);
      }
    }),
  );
});

function write(bucket: Bucket<number>, model: Map<Key, number>, at: Key, value: number): void {
  if (value === 0 && model.delete(at)) bucket.remove(at);
  else if (value > 0 && model.has(at)) {
    model.set(at, value);
    bucket.touch(at);
  } else if (value > 0) {
    model.set(at, value);
    bucket.add(at);
  }
}

test('one change among many members asks for one value', () => {
  const bucket = new Bucket<number>();
  for (const at of keys) bucket.add(at);
  const values = new Map(keys.map((at, n) => [at, n]));
  bucket.entries((at) => values.get(at));
  let asked = 0;
  bucket.touch(keys[50] as Key);
  bucket.entries((at) => {
    asked += 1;
    return values.get(at);
  });
  assert.is(asked, 1);
});

test.run();
