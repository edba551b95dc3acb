/** The keys of the store: made once, read by all, refused when they are none. */
import { randomBytes } from 'node:crypto';
import { Secrets } from '@meshrelay/kube';
import { assert, test } from '@meshrelay/testing';
import { loadStoreKeys, STORE_KEY_SECRET } from '../../src/store/store-keys.ts';
import { startBareCluster } from '../support/cluster.ts';

test('the first replica makes the key, and all have the same', async () => {
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
    const told = await loadStoreKeys(secrets).catch((error: Error) => error.message);
    assert.match(String(told), /relay-store-key-secret: key must be 32 random bytes/);
    assert.not.match(String(told), bad);
  }
});

test.run();
