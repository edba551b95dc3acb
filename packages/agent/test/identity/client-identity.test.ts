/** Waiting for a certificate without an API server: frequency of the checks. */
import type { KubeConnection } from '@meshrelay/kube';
import { silentLogger } from '@meshrelay/telemetry';
import { assert, ManualClock, test } from '@meshrelay/testing';
import { ClientIdentity } from '../../src/identity/client-identity.ts';

test('two callers that wait for a missing certificate do not wake each other', async () => {
  const clock = new ManualClock();
  let reconciles = 0;
  // Their pauses end at different times.
  let turn = 0;
  const nothing = {
    read: async () => {
      // An endless loop of checks would never end by itself.
      if (++reconciles > 50) await new Promise(() => {});
      return undefined;
    },
  };
  const identity = new ClientIdentity({
    connection: { objects: () => nothing } as unknown as KubeConnection,
    namespace: 'meshrelay',
    relay: { serverAddress: 'relay.test:9900', cluster: 'c1', trustDomain: 'relay.meshrelay.local' },
    program: 'test',
    clock,
    now: () => new Date(0),
    random: () => (turn++ % 2) * 0.9,
    logger: silentLogger,
  });
  const stop = new AbortController();
  const waiting = [identity.obtain(stop.signal), identity.obtain(stop.signal)];
  await clock.pass(0);
  await clock.pass(300);
  for (let moment = 0; moment < 20; moment++) await clock.pass(0);
  assert.ok(reconciles <= 3, `${reconciles} looks in 0.3 s, where each waits longer than that between two`);
  stop.abort(new Error('enough'));
  await Promise.allSettled(waiting);
});

test.run();
