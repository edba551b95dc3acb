/** The keys of the store: generated once, read by all, rejected if invalid. */
import { Buffer } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import { Secrets } from '@meshrelay/kube';
import { createLogger } from '@meshrelay/telemetry';
import { assert, eventually, test } from '@meshrelay/testing';
import { followStoreKeys, loadStoreKeys, STORE_KEY_SECRET } from '../../src/store/store-keys.ts';
import { startBareCluster } from '../support/cluster.ts';

test('the first replica generates the key, and all have the same', async () => {
  await using cluster = await startBareCluster();
  const secrets = new Secrets(cluster.connection, 'meshrelay');
  const [one, two] = await Promise.all([loadStoreKeys(secrets), loadStoreKeys(secrets)]);
  assert.is(one.length, 1);
  assert.equal(one, two);
  await secrets.update(STORE_KEY_SECRET, (data) => ({ ...data, 'second-key': randomBytes(32).toString('base64') }));
  const changing = await loadStoreKeys(secrets);
  assert.is(changing.length, 2);
  assert.equal(changing[0], one[0]);
  for (const bad of ['short', randomBytes(31).toString('base64'), `${'A'.repeat(42)}!=`]) {
    await secrets.update(STORE_KEY_SECRET, () => ({ key: bad }));
    const reported = await loadStoreKeys(secrets).catch((error: Error) => error.message);
    assert.match(String(reported), /relay-store-key-secret: key must be 32 random bytes/);
    assert.not.match(String(reported), bad);
  }
});

test('changed keys are passed to the running store; invalid or missing ones change nothing', async () => {
  await using cluster = await startBareCluster();
  const secrets = new Secrets(cluster.connection, 'meshrelay');
  const keys = await loadStoreKeys(secrets);
  const given: Array<readonly Uint8Array[]> = [];
  const lines: string[] = [];
  await using _following = followStoreKeys({
    connection: cluster.connection,
    namespace: 'meshrelay',
    keys,
    store: { rekey: (now) => given.push(now) },
    logger: createLogger({ name: 'test', destination: { write: (line) => lines.push(line) } }),
  });
  const [old = '', next] = [(await secrets.read(STORE_KEY_SECRET))?.data['key'], randomBytes(32).toString('base64')];
  await secrets.update(STORE_KEY_SECRET, () => ({ key: old, 'second-key': next }));
  await eventually('both are given', () => given.at(-1)?.length === 2);
  assert.is(given.length, 1, 'the keys it was opened with are not a change');
  await secrets.update(STORE_KEY_SECRET, () => ({ key: 'canary', 'second-key': next }));
  await eventually('the malformed key is logged', () =>
    lines.some((line) => line.includes('key must be 32 random bytes')),
  );
  await secrets.update(STORE_KEY_SECRET, () => ({ key: next, 'second-key': old }));
  await eventually('they are exchanged', () => given.length === 2);
  assert.equal(
    given[1]?.map((key) => Buffer.from(key).toString('base64')),
    [next, old],
  );
  const stored = await secrets.read(STORE_KEY_SECRET);
  if (stored !== undefined) await secrets.delete(stored);
  await eventually('the deletion is logged, too', () => lines.some((line) => line.includes('was deleted')));
  assert.is(given.length, 2);
  assert.not(lines.some((line) => line.includes(next) || line.includes('canary')));
});

test.run();
