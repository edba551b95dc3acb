/** Keys made once. */
import { assert, test } from '@meshrelay/testing';
import { InternedKeys } from '../../src/graph/interned-keys.ts';
import { key } from '../../src/graph/key.ts';

test('gives the key of both parts, however many there are', () => {
  const keys = new InternedKeys('first');
  for (let round = 0; round < 2; round++)
    for (let nth = 0; nth < 10_000; nth++) assert.is(keys.of(`${nth}"`), key('first', `${nth}"`));
});

test.run();
