/** Replicas among themselves (T27): who gets in, what is told, what happens when one of them ends. */
import { request as plainRequest } from 'node:http';
import { request } from 'node:https';
import type { LogBatch } from '@meshrelay/relay-protocol';
import { assert, eventually, test } from '@meshrelay/testing';
import type { Observer } from '../../src/observe/observer.ts';
import { peerObserver } from '../../src/peers/peer-client.ts';
import { isDue, makePeerKeys, type PeerKeys, readPeerKeys } from '../../src/peers/peer-secret.ts';
import { PeerServer } from '../../src/peers/peer-server.ts';
import { loggingReplica } from '../harness/logging-replica.ts';
import { Reading } from '../harness/reading.ts';

const keysOf = async (): Promise<PeerKeys> => readPeerKeys(await makePeerKeys(new Date())) as PeerKeys;
const keys = await keysOf();
const others = await keysOf();
const forever = new AbortController().signal;

async function serving(observer: Observer, use: PeerKeys | 'none' = keys) {
  const failed: unknown[] = [];
  const listen = { host: '127.0.0.1', port: 0 };
  const server = await PeerServer.start({ listen, observer, onFailed: (_method, error) => failed.push(error) });
  if (use !== 'none') server.use(use);
  return { server, failed, peer: { replica: 'agent-1', address: '127.0.0.1', port: server.port } };
}

async function problemOf(answers: AsyncIterable<unknown>): Promise<string> {
  try {
    for await (const _ of answers);
  } catch (error) {
    return (error as Error).message;
  }
  return 'no problem';
}

const search = { query: {}, limit: 10 };

test('the leader gets what another replica was sent', async () => {
  const { observer, send } = loggingReplica('agent-1');
  send({ path: '/a' }, { path: '/b' });
  const { server, peer } = await serving(observer);
  await using _ = server;
  const batches: LogBatch[] = [];
  for await (const batch of peerObserver(peer, keys).ask('logs.search', search, forever)) batches.push(batch);
  assert.equal(
    batches.flatMap(({ entries }) => entries.map(({ path }) => path)),
    ['/a', '/b'],
  );
  assert.equal(batches.at(-1)?.replicas, [{ replica: 'agent-1' }]);
});

test('whoever does not have the keys gets nothing, and a leader tells its token to nobody else', async () => {
  const { observer } = loggingReplica('agent-1');
  const { server, peer } = await serving(observer);
  await using _ = server;
  assert.match(await problemOf(peerObserver(peer, others).ask('logs.search', search, forever)), /certificate/);
  const wrongToken = { ...keys, token: others.token };
  assert.match(await problemOf(peerObserver(peer, wrongToken).ask('logs.search', search, forever)), /401/);
  const status = await new Promise((done, failed) => {
    const options = { host: '127.0.0.1', port: peer.port, path: '/v1/logs.search', method: 'POST', ca: keys.root };
    request({ ...options, servername: 'agent-peers.meshrelay', agent: false }, ({ statusCode }) => done(statusCode))
      .on('error', failed)
      .end('{}');
  });
  assert.is(status, 401, 'no token at all');
});

test('without the token every path says the same, and nobody is asked anything', async () => {
  let asked = 0;
  const { server, peer } = await serving({
    ask: () => {
      asked += 1;
      throw new Error('nobody may ask');
    },
  });
  await using _ = server;
  const statusOf = (path: string, method: string): Promise<number | undefined> =>
    new Promise((done, failed) => {
      const options = { host: '127.0.0.1', port: peer.port, path, method, ca: keys.root, agent: false };
      request({ ...options, servername: 'agent-peers.meshrelay' }, (response) => {
        response.resume();
        done(response.statusCode);
      })
        .on('error', failed)
        .end();
    });
  const paths = ['logs.search', 'logs.tail', 'traffic.edges', 'agent.state', '__proto__'].map((one) => `/v1/${one}`);
  for (const path of [...paths, '/', '/metrics'])
    for (const method of ['GET', 'POST', 'DELETE']) assert.is(await statusOf(path, method), 401, `${method} ${path}`);
  assert.is(asked, 0);
});

test('in the clear nobody is answered', async () => {
  const { server, peer } = await serving(loggingReplica('agent-1').observer);
  await using _ = server;
  const problem = await new Promise((done) => {
    plainRequest({ host: '127.0.0.1', port: peer.port, path: '/v1/traffic.edges', method: 'POST', agent: false }, () =>
      done('an answer'),
    )
      .on('error', () => done('an end'))
      .end('{}');
  });
  assert.is(problem, 'an end');
});

test('so many questions at once and no more', async () => {
  const { server, peer } = await serving(loggingReplica('agent-1').observer);
  await using _ = server;
  const gone = new AbortController();
  const tails = Array.from({ length: 16 }, () =>
    problemOf(peerObserver(peer, keys).ask('logs.tail', { query: {}, history: 0 }, gone.signal)),
  );
  await eventually('all are answered', () => server.calls === 16);
  assert.match(await problemOf(peerObserver(peer, keys).ask('logs.search', search, forever)), /503/);
  gone.abort();
  await Promise.all(tails);
  await eventually('they are done', () => server.calls === 0);
  assert.is(await problemOf(peerObserver(peer, keys).ask('logs.search', search, forever)), 'no problem');
});

test('before there are keys nobody gets in; new keys count from the next connection on', async () => {
  const { observer } = loggingReplica('agent-1');
  const { server, peer } = await serving(observer, 'none');
  await using _ = server;
  assert.not.ok(server.open);
  assert.is.not(await problemOf(peerObserver(peer, keys).ask('logs.search', search, forever)), 'no problem');
  server.use(keys);
  assert.is(await problemOf(peerObserver(peer, keys).ask('logs.search', search, forever)), 'no problem');
  server.use(others);
  assert.is(await problemOf(peerObserver(peer, others).ask('logs.search', search, forever)), 'no problem');
  assert.is.not(await problemOf(peerObserver(peer, keys).ask('logs.search', search, forever)), 'no problem');
});

test('what is asked is read before anybody answers', async () => {
  const { server, peer } = await serving(loggingReplica('agent-1').observer);
  await using _ = server;
  const ask = (method: string, given: object): Promise<string> =>
    problemOf(peerObserver(peer, keys).ask(method as 'logs.search', given as typeof search, forever));
  assert.match(
    await ask('logs.search', { query: { statusCode: 1 }, limit: 1 }),
    /400.*logs\.search: query.*statusCode/,
  );
  assert.match(await ask('logs.search', { query: {}, limit: 1e9 }), /400.*limit/);
  assert.match(await ask('agent.state', {}), /404/);
  assert.match(await ask('logs.search', { query: { method: 'x'.repeat(100_000) } }), /400/);
});

test('an answer that fails is no answer, and its reason stays here', async () => {
  async function* broken(): AsyncGenerator<never> {
    yield await Promise.reject(new Error('the password is 1234'));
  }
  const { server, peer, failed } = await serving({ ask: () => broken() });
  await using _ = server;
  const problem = await problemOf(peerObserver(peer, keys).ask('logs.search', search, forever));
  assert.not.match(problem, /1234/);
  assert.is.not(problem, 'no problem');
  assert.match(String(failed[0]), /1234/);
});

test('a tail goes on until its reader goes, and ends there too', async () => {
  const { observer, send } = loggingReplica('agent-1');
  const { server, peer } = await serving(observer);
  await using _ = server;
  {
    await using reading = new Reading((signal) =>
      peerObserver(peer, keys).ask('logs.tail', { query: {}, history: 0 }, signal),
    );
    await reading.until('it answers', ({ replicas }) => replicas.length === 1);
    send({ path: '/a' });
    await reading.until('it is there', ({ paths }) => paths.length === 1);
    assert.is(server.calls, 1);
  }
  await eventually('it has ended there', () => server.calls === 0);
});

test('a replica that ends breaks its tails off', async () => {
  const { observer } = loggingReplica('agent-1');
  const { server, peer } = await serving(observer);
  await using reading = new Reading((signal) =>
    peerObserver(peer, keys).ask('logs.tail', { query: {}, history: 0 }, signal),
  );
  await reading.until('it answers', ({ replicas }) => replicas.length === 1);
  await server[Symbol.asyncDispose]();
  await reading.until('the reader hears of it', ({ over }) => over);
  assert.ok(reading.error instanceof Error);
});

test('a leader that does not read costs the replica no more than what may wait', async () => {
  const { observer, send } = loggingReplica('agent-1', { allowance: { perSecond: 1e6, burst: 1e6 } });
  const { server, peer } = await serving(observer);
  await using _ = server;
  const stop = new AbortController();
  const batches = peerObserver(peer, keys)
    .ask('logs.tail', { query: {}, history: 0 }, stop.signal)
    [Symbol.asyncIterator]();
  await batches.next();
  const path = `/${'x'.repeat(4_000)}`;
  const sent = 15_000;
  for (let at = 0; at < sent; at += 100) {
    send(...Array.from({ length: 100 }, () => ({ path })));
    // The writer has its turn, until the connection takes no more.
    if (at % 1_000 === 0) await new Promise((resume) => setImmediate(resume));
  }
  let [told, lost] = [0, 0];
  while (told + lost < sent) {
    const { value } = await batches.next();
    told += value?.entries.length ?? 0;
    lost += value?.lost ?? 0;
  }
  assert.is(told + lost, sent);
  assert.ok(lost > 5_000, `${lost} of ${sent} were lost`);
  stop.abort();
  assert.is.not(await batches.next().then(() => 'no problem', String), 'no problem');
});

test('keys are made anew in the second half of their life, and where they are none', async () => {
  const day = 24 * 3_600_000;
  assert.not.ok(isDue(keys, new Date()));
  assert.not.ok(isDue(keys, new Date(Date.now() + 40 * day)));
  assert.ok(isDue(keys, new Date(Date.now() + 50 * day)));
  assert.ok(isDue(undefined, new Date()));
  assert.ok(isDue({ ...keys, certificate: 'none' }, new Date()));
  assert.is(readPeerKeys({ token: 'x' }), undefined);
});

test.run();
