/** Configuration of the store, and rejected settings. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { assert, temporaryFolder, test } from '@meshrelay/testing';
import { serverConfig } from '../../src/config/config.ts';
import { redisSettings } from '../../src/store/redis-settings.ts';

const problems = (store: object): string =>
  serverConfig
    .safeParse({ store })
    .error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
    .join('; ') ?? '';
const redisOf = (redis: object) => {
  const { store } = serverConfig.parse({ store: { type: 'redis', redis } });
  if (store.redis === undefined) throw new Error('no redis');
  return store.redis;
};
const none = { read: async () => undefined };

test('snapshots are in memory by default', () => {
  assert.equal(serverConfig.parse({}).store, { type: 'memory' });
});

test('the error for an invalid setting names the expected value', () => {
  assert.match(problems({ type: 'redis' }), /expected redis with its addresses/);
  assert.match(problems({ type: 'redis', redis: { addresses: [] } }), /at least one HOST:PORT/);
  assert.match(problems({ type: 'redis', redis: { addresses: ['redis'] } }), /expected HOST:PORT/);
  assert.match(problems({ type: 'redis', redis: { addresses: ['redis:70000'] } }), /port up to 65535/);
  assert.match(problems({ type: 'redis', redis: { addresses: ['a:1', 'b:1'] } }), /one address with mode standalone/);
  assert.match(problems({ type: 'redis', redis: { mode: 'sentinel', addresses: ['a:1'] } }), /expected master/);
  assert.match(problems({ type: 'redis', redis: { mode: 'cluster', addresses: ['a:1'], database: 1 } }), /database 0/);
  assert.match(problems({ type: 'redis', redis: { addresses: ['a:1'], prefix: '{x}' } }), /expected letters/);
  assert.match(problems({ type: 'disk' }), /memory/);
});

test('credentials come from files, then from the Secret, and are read for each connection', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'password');
  writeFileSync(file, 'first\n');
  const config = redisOf({
    addresses: ['[::1]:6380'],
    passwordFile: file,
    secretName: 'redis',
    tls: { servername: 'r' },
  });
  const data = { username: 'relay', password: 'of the secret', 'ca.crt': 'CA', 'tls.crt': 'CERT', 'tls.key': 'KEY' };
  const secrets = { read: async () => ({ name: 'redis', data, managed: false, object: {} as never }) };
  const settings = await redisSettings(config, secrets);
  assert.equal(settings, {
    topology: { mode: 'standalone', address: { host: '::1', port: 6380 } },
    database: 0,
    connectTimeout: 2000,
    commandTimeout: 1000,
    username: 'relay',
    password: 'first',
    tls: { ca: 'CA', cert: 'CERT', key: 'KEY', servername: 'r' },
  });
  writeFileSync(file, 'second');
  assert.is((await redisSettings(config, secrets)).password, 'second');
});

test('the error names what cannot be read', async () => {
  const message = (redis: object): Promise<string> =>
    redisSettings(redisOf(redis), none).then(
      () => '',
      (error: Error) => error.message,
    );
  assert.match(
    await message({ addresses: ['a:1'], passwordFile: '/none/there' }),
    /store\.redis\.passwordFile.*\/none\/there/,
  );
  assert.match(await message({ addresses: ['a:1'], secretName: 'absent' }), /Secret absent does not exist; create it/);
});

test.run();
