/** Keys made once. */
import { assert, test } from '@meshrelay/testing';
import { key } from '../../src/graph/key.ts';
import { RepeatedKeys } from '../../src/graph/repeated-keys.ts';

test('gives the key of both parts, however many there are', () => {
  const keys = new RepeatedKeys('first');
  for (let round = 0; round < 2; round++)
    for (let nth = 0; nth < 10_000; nth++) assert.is(keys.of(`${nth}"`), key('first', `${nth}"`));
});

test.run();
