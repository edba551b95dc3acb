/** Keys as bytes: each decodes to itself, at a fraction of the memory. */

import { key } from '@meshrelay/plugin';
import { assert, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { KeyBytes } from '../../../src/graph/rows/key-bytes.ts';
import { KeyDictionary } from '../../../src/graph/rows/key-dictionary.ts';

/** Frequent parts, some of which become words, and parts that no Meshrelay key contains. */
const part = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('cluster-1', 'shop', 'a,b', '"', '') },
  { weight: 3, arbitrary: fc.string({ maxLength: 5 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 3 }) },
);
const aKey = fc.oneof(
  { weight: 9, arbitrary: fc.array(part, { maxLength: 4 }).map((parts) => key(...parts)) },
  { weight: 1, arbitrary: fc.string({ maxLength: 2_000 }) },
);

test('stored keys decode to themselves, and match nothing else', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(9), aKey), { maxLength: 120 }), (writes) => {
      const bytes = new KeyBytes(new KeyDictionary());
      const taken = new Map<number, string>();
      for (const [row, one] of writes) {
        if (taken.delete(row)) bytes.remove(row);
        else if (bytes.put(row, one)) taken.set(row, one);
        for (let at = 0; at < 10; at++) {
          assert.is(bytes.get(at), taken.get(at));
          assert.is(bytes.is(at, one), taken.get(at) === one);
        }
      }
    }),
  );
});

test('a key with non-ASCII characters, or a very long one, is rejected', () => {
  const bytes = new KeyBytes(new KeyDictionary());
  for (const one of [key('straße'), 'a\u0000', key('x'.repeat(2_000))]) assert.not(bytes.put(0, one));
  assert.ok(bytes.put(0, key('strasse')));
  assert.is(bytes.get(0), key('strasse'));
});

test('parts that thousands of keys share take two bytes each', () => {
  const bytes = new KeyBytes(new KeyDictionary());
  const keyOf = (row: number): string =>
    key(`cluster-${row % 20}`, 'networking.istio.io', 'DestinationRule', `team-${row % 50}`, `service-${row}`);
  for (let row = 0; row < 10_000; row++) assert.ok(bytes.put(row, keyOf(row)));
  for (let row = 0; row < 10_000; row++) assert.is(bytes.get(row), keyOf(row));
  const each = bytes.byteLength / 10_000;
  assert.ok(each < 35, `${each} bytes for each key of ${keyOf(1_000).length} characters`);
});

test('space of removed keys is reused', () => {
  const bytes = new KeyBytes(new KeyDictionary());
  for (let round = 0; round < 50; round++) {
    for (let row = 0; row < 500; row++) bytes.put(row, key('shop', `service-${round}-${row}`));
    if (round === 49) break;
    for (let row = 0; row < 500; row++) bytes.remove(row);
    bytes.tidy(500);
  }
  assert.is(bytes.get(499), key('shop', 'service-49-499'));
  assert.ok(bytes.byteLength < 60_000, `${bytes.byteLength} bytes`);
});

test('compaction does not change the stored keys', () => {
  const bytes = new KeyBytes(new KeyDictionary());
  for (let row = 0; row < 1_000; row++) bytes.put(row, key('shop', `service-${row}`));
  for (let row = 0; row < 1_000; row++) if (row % 4 !== 0) bytes.remove(row);
  const before = bytes.byteLength;
  bytes.tidy(1_000);
  assert.ok(bytes.byteLength < before / 2, `${bytes.byteLength} of ${before} bytes`);
  for (let row = 0; row < 1_000; row++)
    assert.is(bytes.get(row), row % 4 === 0 ? key('shop', `service-${row}`) : undefined);
});

test.run();
