/** Permits of a semaphore. */
import { assert, test } from '@meshrelay/testing';
import { Semaphore } from '../src/mod.ts';

test('permits beyond the limit are refused until others are returned, each once', () => {
  const semaphore = new Semaphore(3);
  const two = semaphore.take(2);
  assert.ok(two !== undefined);
  assert.is(semaphore.take(2), undefined);
  assert.ok(semaphore.take() !== undefined);
  assert.is(semaphore.taken, 3);
  two?.[Symbol.dispose]();
  two?.[Symbol.dispose]();
  assert.is(semaphore.taken, 1);
});

test.run();
