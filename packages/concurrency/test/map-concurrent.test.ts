/** Mapping with limited concurrency. */
import { assert, test } from '@meshrelay/testing';
import { mapConcurrent } from '../src/mod.ts';

test('results have the order of the items, and at most that many run at once', async () => {
  let [running, peak] = [0, 0];
  const results = await mapConcurrent([30, 10, 20, 0], 2, async (value) => {
    peak = Math.max(peak, ++running);
    for (let turn = 0; turn < value; turn++) await Promise.resolve();
    running--;
    return value + 1;
  });
  assert.equal(results, [31, 11, 21, 1]);
  assert.is(peak, 2);
});

test('after the first error nothing starts, and the running work ends before the rejection', async () => {
  const gate = Promise.withResolvers<void>();
  const [started, ended]: [string[], string[]] = [[], []];
  const all = mapConcurrent(['slow', 'bad', 'never'], 2, async (name) => {
    started.push(name);
    if (name === 'bad') throw new Error('no');
    await gate.promise;
    ended.push(name);
  });
  const outcome = all.then(
    () => 'resolved',
    (error: Error) => `${error.message} after ${ended.join()}`,
  );
  gate.resolve();
  assert.is(await outcome, 'no after slow');
  assert.equal(started, ['slow', 'bad']);
});

test('without items, nothing runs', async () => {
  assert.equal(await mapConcurrent([], 3, () => Promise.reject(new Error('no'))), []);
});

test.run();
