/** Reconcile loop: periodic runs, immediate runs on a trigger, never overlapping. */
import { assert, ManualClock, settle, test } from '@meshrelay/testing';
import { ReconcileLoop } from '../src/mod.ts';

test('it runs first, then after each delay that a run returned', async () => {
  const clock = new ManualClock();
  const pauses = [10, 1_000];
  let reconciles = 0;
  await using _ = new ReconcileLoop(clock, () => pauses[reconciles++] ?? 1_000);
  await settle();
  assert.is(reconciles, 1);
  await clock.pass(9);
  assert.is(reconciles, 1);
  await clock.pass(1);
  assert.is(reconciles, 2);
  await clock.pass(999);
  assert.is(reconciles, 2);
  await clock.pass(1);
  assert.is(reconciles, 3);
});

test('a trigger starts a run at once, even during an infinite delay', async () => {
  let reconciles = 0;
  await using reconcileLoop = new ReconcileLoop(new ManualClock(), () => {
    reconciles += 1;
    return Number.POSITIVE_INFINITY;
  });
  await settle();
  reconcileLoop.trigger();
  reconcileLoop.trigger();
  await settle();
  assert.is(reconciles, 2);
});

test('a trigger during a run starts one more run after it', async () => {
  let reconciles = 0;
  let underWay = 0;
  const firstRun = Promise.withResolvers<void>();
  await using reconcileLoop = new ReconcileLoop(new ManualClock(), async () => {
    reconciles += 1;
    underWay += 1;
    assert.is(underWay, 1);
    if (reconciles === 1) await firstRun.promise;
    underWay -= 1;
    return Number.POSITIVE_INFINITY;
  });
  await settle();
  reconcileLoop.trigger();
  reconcileLoop.trigger();
  await settle();
  assert.is(reconciles, 1);
  firstRun.resolve();
  await settle();
  assert.is(reconciles, 2);
});

test('a run may use its loop, from the first run on', async () => {
  let reconciles = 0;
  const reconcileLoop: ReconcileLoop = new ReconcileLoop(new ManualClock(), () => {
    reconciles += 1;
    if (reconciles < 3) reconcileLoop.trigger();
    return Number.POSITIVE_INFINITY;
  });
  await settle();
  assert.is(reconciles, 3);
  await reconcileLoop[Symbol.asyncDispose]();
});

test('disposal aborts the current run, waits for it, and no other starts', async () => {
  const clock = new ManualClock();
  const held = Promise.withResolvers<void>();
  const seen: boolean[] = [];
  let reconciles = 0;
  const reconcileLoop = new ReconcileLoop(clock, async (signal) => {
    reconciles += 1;
    await held.promise;
    seen.push(signal.aborted);
    return 1;
  });
  await settle();
  assert.is(reconcileLoop.ended, false);
  let disposed = false;
  const disposing = reconcileLoop[Symbol.asyncDispose]().then(() => {
    disposed = true;
  });
  assert.is(reconcileLoop.ended, true);
  await settle();
  assert.is(disposed, false);
  held.resolve();
  await disposing;
  reconcileLoop.trigger();
  await clock.pass(10);
  assert.equal([reconciles, seen], [1, [true]]);
});

test.run();
