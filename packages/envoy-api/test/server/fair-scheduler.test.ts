/** Who has something to say gets a turn, and what comes in is read between the turns. */
import { setImmediate as turn } from 'node:timers/promises';
import { assert, test } from '@meshrelay/testing';
import { FairScheduler } from '../../src/server/fair-scheduler.ts';

test('many that are due speak in their order, so much in a turn of the loop', async () => {
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

test('one that tells much has a turn to itself; one that becomes due while it speaks speaks again', async () => {
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
