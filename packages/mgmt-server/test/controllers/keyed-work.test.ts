/** Work queue by key: order, concurrency, retries, shutdown. */
import { silentLogger } from '@meshrelay/telemetry';
import { assert, eventually, test } from '@meshrelay/testing';
import { WorkQueue } from '../../src/controllers/keyed-work.ts';

/** Work that ends on the test's command. */
function controlled(concurrency = 1) {
  const runs: Array<{ key: string; done: () => void; fail: (error: Error) => void; signal: AbortSignal }> = [];
  const work = new WorkQueue({
    run: (key, signal) =>
      new Promise((done, fail) => {
        runs.push({ key, done, fail, signal });
      }),
    logger: silentLogger,
    concurrency,
  });
  const keys = (): string => runs.map(({ key }) => key).join();
  return { work, runs, keys };
}

const turn = (): Promise<void> => new Promise((resume) => setImmediate(resume));

test('a key added during its run runs once more afterwards', async () => {
  const { work, runs, keys } = controlled(2);
  work.add('a');
  await turn();
  for (let again = 0; again < 5; again += 1) work.add('a');
  await turn();
  assert.is(keys(), 'a');
  assert.is(work.depth, 1);
  runs[0]?.done();
  await turn();
  assert.is(keys(), 'a,a');
  runs[1]?.done();
  await turn();
  assert.is(keys(), 'a,a');
  assert.is(work.depth, 0);
});

test('keys wait in order, and as many run as allowed', async () => {
  const { work, runs, keys } = controlled(2);
  for (const key of ['a', 'b', 'c', 'a', 'd']) work.add(key);
  await turn();
  assert.is(keys(), 'a,b');
  runs[1]?.done();
  await turn();
  assert.is(keys(), 'a,b,c');
  runs[0]?.done();
  runs[2]?.done();
  await turn();
  assert.is(keys(), 'a,b,c,d');
});

test('failed work is retried after a delay, with keys added meanwhile', async () => {
  const { work, runs, keys } = controlled();
  work.add('a');
  await turn();
  work.add('a');
  runs[0]?.fail(new Error('no'));
  await turn();
  work.add('a');
  await turn();
  assert.is(keys(), 'a', 'it keeps its pause');
  assert.is(work.depth, 1);
  await eventually('it runs again', () => keys() === 'a,a');
  runs[1]?.done();
  await turn();
  assert.is(work.depth, 0);
  work.add('a');
  await turn();
  assert.is(keys(), 'a,a,a', 'a success ends the pauses');
});

test('work that throws synchronously counts as failed', async () => {
  let runs = 0;
  await using work = new WorkQueue({
    run: () => {
      runs += 1;
      throw new Error('at once');
    },
    logger: silentLogger,
  });
  work.add('a');
  await eventually('it is tried again', () => runs === 2);
});

test('disposal aborts the running work, waits for it, and accepts no more', async () => {
  const { work, runs, keys } = controlled();
  work.add('a');
  work.add('b');
  await turn();
  let ended = false;
  const end = work[Symbol.asyncDispose]().then(() => {
    ended = true;
  });
  await turn();
  assert.ok(runs[0]?.signal.aborted);
  assert.not(ended);
  work.add('c');
  runs[0]?.fail(new Error('aborted'));
  await end;
  await turn();
  assert.is(keys(), 'a');
});

test.run();
