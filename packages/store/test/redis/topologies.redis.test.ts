/** Every way to reach a Redis: TLS with a client certificate, a user with few permissions, sentinels, a cluster. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  agentIdentity,
  createCsr,
  createRoot,
  generateKey,
  issueAgentCertificate,
  issueServerCertificate,
  trustDomain,
  writeCertificates,
  writePrivateKey,
} from '@meshrelay/pki';
import { assert, eventually, temporaryFolder, test } from '@meshrelay/testing';
import { freePort } from '@meshrelay/testing/processes';
import { type RedisServer, redisProgram, startRedis } from '@meshrelay/testing/redis';
import { type RedisConnectionSettings, type RedisTopology, redisConnector } from '../../src/mod.ts';
import { storeOn } from './support.ts';
import { alike, fill, MESH, object, step } from './support-snapshots.ts';

const program = await redisProgram();
const HOST = '127.0.0.1';
const timeouts = { connectTimeout: 2_000, commandTimeout: 1_000 };
const at = (port: number): RedisTopology => ({ mode: 'standalone', address: { host: HOST, port } });

/** Two stores that reach Redis that way exchange changes. */
async function assertShared(settings: RedisConnectionSettings): Promise<void> {
  const connect = redisConnector(settings);
  await using a = await storeOn({ port: 0 }, { connect });
  await using b = await storeOn({ port: 0 }, { connect });
  await fill(a.store, 'c1', 300);
  await alike(a.store, b.store, 'c1');
  await b.store.open({ cluster: 'c2', term: 1, kinds: [MESH] });
  await b.store.write(step('c2', 1, { upserts: [object(MESH, 'm', '1')] }));
  await alike(b.store, a.store, 'c2');
  assert.equal(
    [...a.events, ...b.events].filter(({ type }) => type !== 'connected'),
    [],
  );
}

/** Why a connection fails. */
const rejection = (settings: RedisConnectionSettings): Promise<string> =>
  redisConnector(settings)().then(
    (connection) => {
      connection.close();
      return 'connected';
    },
    (error: Error) => error.message,
  );

if (program !== undefined) {
  test('TLS with a client certificate, and a server that proves its name', async () => {
    using folder = temporaryFolder();
    const domain = trustDomain('redis.test');
    const now = new Date();
    const root = await createRoot({ commonName: 'root', trustDomain: domain, days: 1, now });
    const serverKey = await generateKey('relay-server');
    const server = await issueServerCertificate({ ca: root, key: serverKey, dnsNames: ['redis.internal'], now });
    const key = await generateKey('agent');
    const csrPem = await createCsr({ key });
    const client = await issueAgentCertificate({ ca: root, csrPem, identity: agentIdentity(domain, 'server'), now });
    if (!server.ok || !client.ok) throw new Error('no certificates');
    const ca = writeCertificates([root.certificate]);
    const files = { 'ca.pem': ca, 'tls.pem': server.chainPem, 'key.pem': writePrivateKey(serverKey) };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder.path, name), text);
    const file = (name: string): string => join(folder.path, name);
    const port = await freePort();
    const args = [
      '--tls-port',
      String(port),
      '--tls-cert-file',
      file('tls.pem'),
      '--tls-key-file',
      file('key.pem'),
      '--tls-ca-cert-file',
      file('ca.pem'),
    ];
    await using _redis = await startRedis(program, { args });
    const tls = { ca, cert: client.chainPem, key: writePrivateKey(key), servername: 'redis.internal' };
    const settings = { topology: at(port), ...timeouts, tls };
    await assertShared(settings);
    assert.is.not(
      await rejection({ ...settings, tls: { ...tls, servername: 'other.internal' } }),
      'connected',
      'another name',
    );
    assert.is.not(await rejection({ ...settings, tls: { ...tls, ca: undefined } }), 'connected', 'an unknown root');
    // TLS 1.3 accepts a client without a certificate until its first request.
    const { cert: _, key: __, ...bare } = tls;
    const without = await redisConnector({ ...settings, tls: bare })()
      .then(async (connection) => connection.call('PING', []).finally(() => connection.close()))
      .catch(() => 'refused');
    assert.is(without, 'refused', 'no client certificate');
    assert.is.not(await rejection({ topology: at(port), ...timeouts }), 'connected', 'no TLS');
  });

  test('a user with access to the store’s keys only, and a password', async () => {
    const rights = [
      '~{test}:*',
      'resetchannels',
      '-@all',
      '+@hash',
      '+@stream',
      '+@connection',
      '+@scripting',
      '+del',
      '+type',
      '+exists',
      '+select',
    ];
    await using redis = await startRedis(program);
    await redis.command('ACL', 'SETUSER', 'relay', 'on', '>pass word', ...rights);
    const settings = { topology: at(redis.port), ...timeouts, username: 'relay', password: 'pass word' };
    await assertShared(settings);
    assert.match(await rejection({ ...settings, password: 'wrong' }), /WRONGPASS/);
    await using stranger = await storeOn(redis, {
      connect: redisConnector(settings),
      prefix: 'another',
      timeoutMs: 300,
    });
    await fill(stranger.store, 'c1', 1);
    assert.is(stranger.store.stats().replication?.connected, false);
    assert.is(await redis.command('EXISTS', '{another}:heads'), 0);
  });

  test('sentinels name the master, also after the old one died', async () => {
    await using master = await startRedis(program);
    await using replica = await startRedis(program, { args: ['--replicaof', HOST, String(master.port)] });
    const sentinel = `sentinel monitor fleet ${HOST} ${master.port} 1
sentinel down-after-milliseconds fleet 300
sentinel failover-timeout fleet 2000
`;
    await using guard = await startRedis(program, { sentinel });
    await eventually('the replica is known', async () =>
      String(await guard.command('SENTINEL', 'REPLICAS', 'fleet')).includes(String(replica.port)),
    );
    await eventually('the replica has everything', async () =>
      String(await replica.command('INFO', 'replication')).includes('master_link_status:up'),
    );
    const topology: RedisTopology = {
      mode: 'sentinel',
      sentinels: [{ host: HOST, port: guard.port }],
      master: 'fleet',
    };
    await assertShared({ topology, ...timeouts });
    const connect = redisConnector({ topology, ...timeouts });
    await using a = await storeOn(master, { connect, prefix: 'later' });
    await using b = await storeOn(master, { connect, prefix: 'later' });
    await fill(a.store, 'c1', 20);
    await alike(a.store, b.store, 'c1');
    await master.kill();
    await a.store.write(step('c1', 3, { upserts: [object(MESH, 'm1', 'without a leader')] }));
    await alike(a.store, b.store, 'c1');
    assert.is(await replica.command('HEXISTS', '{later}:heads', 'c1'), 1, 'it is the master now');
  });

  test('a cluster of which one node has the slot of the store', async () => {
    const nodes: RedisServer[] = [];
    await using stack = new AsyncDisposableStack();
    for (let count = 0; count < 2; count += 1) {
      const args = [
        '--cluster-enabled',
        'yes',
        '--cluster-port',
        String(await freePort()),
        '--cluster-node-timeout',
        '2000',
      ];
      nodes.push(stack.use(await startRedis(program, { args })));
    }
    const [one, two] = nodes;
    if (one === undefined || two === undefined) throw new Error('no nodes');
    await one.command('CLUSTER', 'ADDSLOTSRANGE', '0', '8000');
    await two.command('CLUSTER', 'ADDSLOTSRANGE', '8001', '16383');
    const bus = String(((await two.command('CONFIG', 'GET', 'cluster-port')) as readonly string[])[1]);
    await one.command('CLUSTER', 'MEET', HOST, String(two.port), bus);
    for (const node of nodes)
      await eventually('the cluster is whole', async () =>
        String(await node.command('CLUSTER', 'INFO')).includes('cluster_state:ok'),
      );
    for (const node of nodes)
      await assertShared({ topology: { mode: 'cluster', nodes: [{ host: HOST, port: node.port }] }, ...timeouts });
  });
}

test.run();
