/** Work that is looked after: now and then, at once when told, one look after the other. */
import { assert, ManualClock, settle, test } from '@meshrelay/testing';
import { Lookout } from '../src/mod.ts';

test('it looks first, then after each pause that a look asked for', async () => {
  const clock = new ManualClock();
  const pauses = [10, 1_000];
  let looks = 0;
  await using _ = new Lookout(clock, () => pauses[looks++] ?? 1_000);
  await settle();
  assert.is(looks, 1);
  await clock.pass(9);
  assert.is(looks, 1);
  await clock.pass(1);
  assert.is(looks, 2);
  await clock.pass(999);
  assert.is(looks, 2);
  await clock.pass(1);
  assert.is(looks, 3);
});

test('told, it looks at once, also where it would have waited for ever', async () => {
  let looks = 0;
  await using lookout = new Lookout(new ManualClock(), () => {
    looks += 1;
    return Number.POSITIVE_INFINITY;
  });
  await settle();
  lookout.look();
  lookout.look();
  await settle();
  assert.is(looks, 2);
});

test('told while it looks, it looks once more, after that look', async () => {
  let looks = 0;
  let underWay = 0;
  const firstLook = Promise.withResolvers<void>();
  await using lookout = new Lookout(new ManualClock(), async () => {
    looks += 1;
    underWay += 1;
    assert.is(underWay, 1);
    if (looks === 1) await firstLook.promise;
    underWay -= 1;
    return Number.POSITIVE_INFINITY;
  });
  await settle();
  lookout.look();
  lookout.look();
  await settle();
  assert.is(looks, 1);
  firstLook.resolve();
  await settle();
  assert.is(looks, 2);
});

test('a look may use its lookout, from the first on', async () => {
  let looks = 0;
  const lookout: Lookout = new Lookout(new ManualClock(), () => {
    looks += 1;
    if (looks < 3) lookout.look();
    return Number.POSITIVE_INFINITY;
  });
  await settle();
  assert.is(looks, 3);
  await lookout[Symbol.asyncDispose]();
});

test('disposing tells the look under way, waits for it, and no other begins', async () => {
  const clock = new ManualClock();
  const held = Promise.withResolvers<void>();
  const seen: boolean[] = [];
  let looks = 0;
  const lookout = new Lookout(clock, async (signal) => {
    looks += 1;
    await held.promise;
    seen.push(signal.aborted);
    return 1;
  });
  await settle();
  assert.is(lookout.ended, false);
  let disposed = false;
  const disposing = lookout[Symbol.asyncDispose]().then(() => {
    disposed = true;
  });
  assert.is(lookout.ended, true);
  await settle();
  assert.is(disposed, false);
  held.resolve();
  await disposing;
  lookout.look();
  await clock.pass(10);
  assert.equal([looks, seen], [1, [true]]);
});

test.run();
