/** Every due call gets a turn, and requests are read between the turns. */
import { setImmediate as turn } from 'node:timers/promises';
import { assert, test } from '@meshrelay/testing';
import { FairScheduler } from '../../src/server/fair-scheduler.ts';

test('many due calls send in order, a limited number per turn of the loop', async () => {
  const scheduler = new FairScheduler(10);
  const heard: number[] = [];
  for (let at = 0; at < 25; at++) scheduler.add({ speak: () => heard.push(at) && 1 });
  assert.equal(heard, [], 'not at once: changes of one tick travel together');
  const after: number[] = [];
  for (let round = 0; round < 3; round++) {
    await turn();
    after.push(heard.length);
  }
  assert.equal(after, [10, 20, 25]);
  assert.equal(
    heard,
    [...heard].sort((a, b) => a - b),
  );
});

test('a call with many resources has a turn to itself; one that becomes due while it sends is scheduled again', async () => {
  const scheduler = new FairScheduler(10);
  const heard: string[] = [];
  let again = true;
  const much = {
    speak: () => {
      heard.push('much');
      if (again) scheduler.add(much);
      again = false;
      return 5000;
    },
  };
  scheduler.add(much);
  scheduler.add({ speak: () => heard.push('little') && 1 });
  await turn();
  assert.equal(heard, ['much']);
  await turn();
  await turn();
  assert.equal(heard, ['much', 'little', 'much']);
  await turn();
  assert.is(heard.length, 3);
});

test.run();
