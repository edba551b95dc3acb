/** Deep freezing of values. */
import { assert, test } from '@meshrelay/testing';
import { deepFreeze } from '../../../src/graph/faults/deep-freeze.ts';

test('freezes every level in place and leaves byte arrays alone', () => {
  const value = { list: [{ n: 1 }], bytes: Uint8Array.of(1) };
  assert.is(deepFreeze(value), value);
  assert.throws(() => {
    (value.list[0] as { n: number }).n = 2;
  });
  assert.throws(() => value.list.push({ n: 2 }));
  value.bytes[0] = 2;
  assert.is(deepFreeze(undefined), undefined);
});

test.run();
