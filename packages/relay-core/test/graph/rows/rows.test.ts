/** Rows: one number per key, reused once free; columns without holes. */

import { key } from '@meshrelay/plugin';
import { assert, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { KeyBytes } from '../../../src/graph/rows/key-bytes.ts';
import { KeyDictionary } from '../../../src/graph/rows/key-dictionary.ts';
import { countInColumn, NO_ROW, Rows, setInColumn } from '../../../src/graph/rows/rows.ts';
import { sameHash } from '../support/same-hash.ts';

test('a key keeps its row until it is freed, and the next key gets that row', () => {
  const rows = new Rows();
  const [a, b, c] = [key('a'), key('b'), key('c')];
  assert.is(rows.take(a), 0);
  assert.is(rows.take(b), 1);
  assert.is(rows.take(a), 0);
  rows.free(0);
  assert.is(rows.of(a), NO_ROW);
  assert.is(rows.take(c), 0);
  assert.is(rows.key(0), c);
  assert.is(rows.size, 2);
});

test('compaction changes nothing, even if two keys have one hash', () => {
  const keys = [...sameHash, 'third', 'fourth', 'fünfter'].map((name) => key(name));
  const step = fc.oneof(fc.constant('settle' as const), fc.constant('one' as const), fc.constantFrom(...keys));
  fc.assert(
    fc.property(fc.boolean(), fc.array(step, { maxLength: 60 }), (inBytes, steps) => {
      const rows = new Rows(inBytes ? new KeyBytes(new KeyDictionary()) : undefined);
      const taken = new Map<string, number>();
      for (const at of steps) {
        const row = taken.get(at);
        if (at === 'settle') assert.ok(rows.converge());
        else if (at === 'one') rows.converge(() => true);
        else if (row === undefined) taken.set(at, rows.take(at));
        else {
          rows.free(row);
          taken.delete(at);
        }
        assert.is(rows.size, taken.size);
        for (const one of keys) assert.is(rows.of(one), taken.get(one) ?? NO_ROW);
        for (const [one, its] of taken) assert.is(rows.key(its), one);
      }
    }),
  );
});

test('compaction key by key terminates, even if a key cannot be compacted', () => {
  const rows = new Rows();
  const keys = [...sameHash, 'third', 'fourth'].map((name) => key(name));
  rows.take(keys[0] as string);
  assert.ok(rows.converge());
  for (const one of keys) rows.take(one);
  let steps = 0;
  while (!rows.converge(() => true)) steps += 1;
  assert.is(steps, 2);
  assert.equal(
    keys.map((one) => rows.of(one)),
    [0, 1, 2, 3],
  );
});

test('a column is filled up to the row that is set', () => {
  const column: string[] = [];
  setInColumn(column, 2, 'x', '');
  assert.equal(column, ['', '', 'x']);
  assert.is(countInColumn(column, ''), 1);
});

test.run();
