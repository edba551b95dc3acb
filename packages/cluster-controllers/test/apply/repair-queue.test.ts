/** Repairs run at once, then after growing pauses, which reset after a calm time. */
import { assert, ManualClock, settle, test } from '@meshrelay/testing';
import type { ReconcileKey, ReconcileResult } from '../../src/apply/object-writer.ts';
import { RepairQueue } from '../../src/apply/repair-queue.ts';
import { subject } from './outputs.ts';

function ward(outcome: (subject: ReconcileKey) => ReconcileResult | Promise<ReconcileResult>) {
  const clock = new ManualClock();
  const repaired: number[] = [];
  const errors: unknown[] = [];
  const queue = new RepairQueue({
    repair: async (one) => {
      repaired.push(clock.now());
      return await outcome(one);
    },
    onError: (error) => errors.push(error),
    clock,
    random: () => 0,
  });
  return { clock, repaired, errors, queue };
}

const APPLIED: ReconcileResult = { result: 'applied' };
const FAILED: ReconcileResult = { result: 'failed', code: 'X', reason: 'x', retry: true };

test('the first repair is immediate, each further one waits twice as long, up to ten seconds', async () => {
  const { clock, repaired, queue } = ward(() => APPLIED);
  const begun = clock.now();
  for (let fight = 1; fight <= 9; fight++) {
    queue.add(subject('a'));
    await settle();
    while (repaired.length < fight) await clock.pass(250);
  }
  const pauses = repaired.map((at, index) => at - (repaired[index - 1] ?? begun));
  assert.equal(pauses, [0, 250, 500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
  assert.is(queue.contested, 1);
});

test('an object without changes for long is repaired at once again', async () => {
  const { clock, repaired, queue } = ward(() => APPLIED);
  for (const pause of [0, 1_000, 120_000]) {
    await clock.pass(pause);
    queue.add(subject('a'));
    await settle();
  }
  assert.is(repaired.length, 3);
  queue.add(subject('a'));
  await clock.pass(300);
  assert.is(repaired.length, 4, 'with the shortest pause');
});

test('several changes during a repair cause one more repair', async () => {
  const gate = Promise.withResolvers<ReconcileResult>();
  const { clock, repaired, queue } = ward(() => gate.promise);
  for (let times = 0; times < 5; times++) queue.add(subject('a'));
  await settle();
  assert.is(repaired.length, 1);
  for (let times = 0; times < 5; times++) queue.add(subject('a'));
  gate.resolve(APPLIED);
  await clock.pass(0);
  await clock.pass(1_000);
  assert.is(repaired.length, 2);
});

test('a temporary failure is retried, a permanent one waits for a change', async () => {
  let outcome: ReconcileResult = FAILED;
  const { clock, repaired, queue } = ward(() => outcome);
  queue.add(subject('a'));
  await settle();
  await clock.pass(500);
  assert.is(repaired.length, 2);
  assert.is(queue.depth, 1, 'it waits');
  outcome = { ...FAILED, retry: false };
  await clock.pass(2_000);
  assert.is(repaired.length, 3);
  assert.is(queue.depth, 0);
  await clock.pass(50_000);
  assert.is(repaired.length, 3);
});

test('an object that failed outside the queue waits first', async () => {
  const { clock, repaired, queue } = ward(() => ({ result: 'unchanged' }));
  queue.retry(subject('a'));
  await settle();
  assert.is(repaired.length, 0);
  await clock.pass(1_000);
  assert.is(repaired.length, 1);
});

test('an error ends only the work on its object, and disposal ends all pauses', async () => {
  const { clock, repaired, errors, queue } = ward(({ key }) => {
    if (key.name === 'bad') throw new Error('broken');
    return APPLIED;
  });
  queue.add(subject('bad'));
  queue.add(subject('good'));
  await settle();
  assert.is(errors.length, 1);
  queue.add(subject('good'));
  await queue[Symbol.asyncDispose]();
  await clock.pass(60_000);
  queue.add(subject('good'));
  await settle();
  assert.is(repaired.length, 2);
});

test.run();
