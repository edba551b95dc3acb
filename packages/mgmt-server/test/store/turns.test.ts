/** One piece of work after the other for each key. */
import { assert, test } from '@meshrelay/testing';
import { Turns } from '../../src/store/turns.ts';

test('work of one key waits for what came before, also where that failed; other keys do not', async () => {
  const turns = new Turns();
  const seen: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = turns.take('a', async () => {
    await gate.promise;
    seen.push('a1');
    throw new Error('no');
  });
  const second = turns.take('a', async () => seen.push('a2'));
  await turns.take('b', async () => seen.push('b1'));
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
