/** Envoys of the demo can authenticate to the agent after hours: their tokens are renewed before they expire. */
import type { KubeObject } from '@meshrelay/kube-sim';
import { assert, eventually, test } from '@meshrelay/testing';
import { EnvoyToken, type EnvoyTokenOptions } from '../src/envoy-token.ts';

const HOUR = 3_600_000;

test('a token is renewed after four fifths of its lifetime, even if the API server fails once', async () => {
  let [time, requested] = [0, 0];
  const written: string[] = [];
  const slept: number[] = [];
  const wakes: (() => void)[] = [];
  const connection = {
    request: async () => {
      requested += 1;
      if (requested === 3) throw new Error('not now');
      return { status: { token: `token-${requested}`, expirationTimestamp: new Date(time + HOUR).toISOString() } };
    },
  };
  const pod = { metadata: { name: 'desk', namespace: 'library', uid: 'u' }, spec: { serviceAccountName: 'desk' } };
  await using token = await EnvoyToken.start({
    cluster: { connection, plan: { name: 'c3' } } as unknown as EnvoyTokenOptions['cluster'],
    pod: pod as unknown as KubeObject,
    folder: {
      replace: (name, text) => {
        written.push(text);
        return name;
      },
    },
    now: () => time,
    sleep: (milliseconds, signal) => {
      slept.push(milliseconds);
      return new Promise<void>((resolve) => {
        wakes.push(() => {
          time += milliseconds;
          resolve();
        });
        signal.addEventListener('abort', () => resolve());
      });
    },
  });
  assert.equal([token.path, written], ['c3-desk.token', ['token-1']]);
  for (const sleeps of [1, 2, 3]) {
    await eventually('it sleeps', () => slept.length === sleeps);
    wakes[sleeps - 1]?.();
  }
  await eventually('it was renewed twice', () => written.length === 3);
  assert.equal(written, ['token-1', 'token-2', 'token-4']);
  assert.equal(slept.slice(0, 3), [0.8 * HOUR, 0.8 * HOUR, 10_000]);
});

test.run();
