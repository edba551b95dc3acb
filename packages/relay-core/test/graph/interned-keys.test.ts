/** Interned keys. */

import { key } from '@meshrelay/plugin';
import { assert, test } from '@meshrelay/testing';
import { InternedKeys } from '../../src/graph/interned-keys.ts';

test('returns the key of both parts, for any number of keys', () => {
  const keys = new InternedKeys('first');
  for (let round = 0; round < 2; round++)
    for (let nth = 0; nth < 10_000; nth++) assert.is(keys.of(`${nth}"`), key('first', `${nth}"`));
});

test.run();
