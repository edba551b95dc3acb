/** Work that is looked after: now and then, at once when told, one look after the other. */
import { assert, ManualClock, settle, test } from '@meshrelay/testing';
import { ReconcileLoop } from '../src/mod.ts';

test('it looks first, then after each pause that a look asked for', async () => {
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

test('told, it looks at once, also where it would have waited for ever', async () => {
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

test('told while it looks, it looks once more, after that look', async () => {
  let reconciles = 0;
  let underWay = 0;
  const firstLook = Promise.withResolvers<void>();
  await using reconcileLoop = new ReconcileLoop(new ManualClock(), async () => {
    reconciles += 1;
    underWay += 1;
    assert.is(underWay, 1);
    if (reconciles === 1) await firstLook.promise;
    underWay -= 1;
    return Number.POSITIVE_INFINITY;
  });
  await settle();
  reconcileLoop.trigger();
  reconcileLoop.trigger();
  await settle();
  assert.is(reconciles, 1);
  firstLook.resolve();
  await settle();
  assert.is(reconciles, 2);
});

test('a look may use its lookout, from the first on', async () => {
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

test('disposing tells the look under way, waits for it, and no other begins', async () => {
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
