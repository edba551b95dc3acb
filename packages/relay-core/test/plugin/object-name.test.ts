/** Names made of the names of other things: legal, and never one for two. */
import { assert, test } from '@meshrelay/testing';
import { objectName } from '../../src/mod.ts';

test('parts without dots stand as they are', () => assert.is(objectName('meshrelay', ['a', 'b']), 'meshrelay-a.b'));

test('parts with dots are told apart by a digest', () => {
  const [one, other] = [objectName('m', ['a.b', 'c']), objectName('m', ['a', 'b.c'])];
  assert.ok(one !== other);
  assert.match(one, /^m-a\.b\.c\.[0-9a-f]{16}$/);
});

test('a long name is cut, and differs from what begins like it', () => {
  const long = 'x'.repeat(250);
  const [one, other] = [objectName('m', [long, `${long}a`]), objectName('m', [long, `${long}b`])];
  assert.ok(one.length <= 253 && other.length <= 253 && one !== other);
});

test.run();
