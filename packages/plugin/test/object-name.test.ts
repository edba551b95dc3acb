/** Names built from other names: valid and unique. */

import { assert, test } from '@meshrelay/testing';
import { objectName } from '../src/mod.ts';

test('parts without dots are used unchanged', () => assert.is(objectName('meshrelay', ['a', 'b']), 'meshrelay-a.b'));

test('parts with dots are distinguished by a digest', () => {
  const [one, other] = [objectName('m', ['a.b', 'c']), objectName('m', ['a', 'b.c'])];
  assert.ok(one !== other);
  assert.match(one, /^m-a\.b\.c\.[0-9a-f]{16}$/);
});

test('a long name is shortened, and differs from others with the same beginning', () => {
  const long = 'x'.repeat(250);
  const [one, other] = [objectName('m', [long, `${long}a`]), objectName('m', [long, `${long}b`])];
  assert.ok(one.length <= 253 && other.length <= 253 && one !== other);
});

test.run();
