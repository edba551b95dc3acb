/** Work in sequence. */
import { assert, test } from '@meshrelay/testing';
import { SequentialQueue } from '../src/mod.ts';

test('each piece waits for the one before it, even if that failed', async () => {
  const queue = new SequentialQueue();
  const gate = Promise.withResolvers<void>();
  const seen: string[] = [];
  const first = queue.run(async () => {
    await gate.promise;
    seen.push('first');
    throw new Error('no');
  });
  const second = queue.run(async () => seen.push('second'));
  const rejected = first.catch((error: Error) => error.message);
  assert.equal(seen, []);
  gate.resolve();
  assert.is(await rejected, 'no');
  assert.is(await second, 2);
  assert.equal(seen, ['first', 'second']);
});

test('it is idle when the work given so far has ended', async () => {
  const queue = new SequentialQueue();
  let done = false;
  const failed = queue.run(async () => {
    await Promise.resolve();
    done = true;
    throw new Error('no');
  });
  failed.catch(() => undefined);
  await queue.idle();
  assert.ok(done);
});

test.run();
