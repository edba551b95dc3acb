/** Keys: equal exactly if their parts are, with the same order on every machine. */

import { key, partsOf } from '@meshrelay/plugin';
import { assert, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { compareKeys } from '../../src/graph/compare-keys.ts';

test('keys decode to their parts, so no two lists of parts share a key', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' })), (parts) => {
      assert.equal(partsOf(key(...parts)), parts);
    }),
  );
  assert.is.not(key('a', 'b'), key('a","b'));
  assert.is.not(key(), key(''));
});

test('order is by UTF-16 code units, not by locale', () => {
  const sorted = [key('é'), key('z'), key('a'), key('B')].sort(compareKeys);
  assert.equal(sorted, [key('B'), key('a'), key('z'), key('é')]);
  assert.is(compareKeys(key('a'), key('a')), 0);
});

test.run();
