/** Lists of keys from user functions. */

import { key } from '@meshrelay/plugin';
import { assert, test } from '@meshrelay/testing';
import { distinctKeys, membership } from '../../../src/graph/rows/key-list.ts';

test('repeated keys are kept once, in the order of their first occurrence', () => {
  const many = Array.from({ length: 30 }, (_, n) => key(`k${n % 20}`));
  assert.equal(distinctKeys(many, 'test'), many.slice(0, 20));
  assert.equal(distinctKeys([key('b'), key('a'), key('b')], 'test'), [key('b'), key('a')]);
});

test('a value that is not a key is rejected', () => {
  assert.throws(() => distinctKeys([undefined as never], 'extract of pods'), /extract of pods gave a bucket/);
  assert.throws(() => distinctKeys(undefined as never, 'extract of pods'), /extract of pods returned undefined/);
});

test('membership is the same for short and long lists', () => {
  for (const length of [0, 3, 30]) {
    const list = Array.from({ length }, (_, n) => key(`k${n}`));
    assert.is(membership(list).has(key('k2')), length > 2);
    assert.not(membership(list).has(key('k99')));
  }
});

test.run();
