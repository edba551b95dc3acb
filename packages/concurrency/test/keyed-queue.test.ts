/** Serial work per key. */
import { assert, test } from '@meshrelay/testing';
import { KeyedQueue } from '../src/mod.ts';

test('work of one key waits for earlier work, also if that failed; other keys do not', async () => {
  const keyedQueue = new KeyedQueue();
  const seen: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = keyedQueue.run('a', async () => {
    await gate.promise;
    seen.push('a1');
    throw new Error('no');
  });
  const second = keyedQueue.run('a', async () => seen.push('a2'));
  await keyedQueue.run('b', async () => seen.push('b1'));
  assert.equal(seen, ['b1']);
  gate.resolve();
  await first.then(
    () => assert.unreachable(),
    () => undefined,
  );
  await second;
  assert.equal(seen, ['b1', 'a1', 'a2']);
});

test.run();
