/** Coalesced calls. */
import { assert, settle, test } from '@meshrelay/testing';
import { coalesced } from '../src/mod.ts';

test('calls during a run share one run after it, also if the first fails', async () => {
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let runs = 0;
  const call = coalesced(() => gates[runs++]?.promise ?? Promise.resolve());
  const first = call().then(
    () => 'ended',
    () => 'failed',
  );
  const [second, third] = [call(), call()];
  await settle();
  assert.is(runs, 1);
  gates[0]?.reject(new Error('no'));
  assert.is(await first, 'failed');
  await settle();
  assert.is(runs, 2);
  gates[1]?.resolve();
  await Promise.all([second, third]);
  assert.is(runs, 2);
  await call();
  assert.is(runs, 3);
});

test.run();
