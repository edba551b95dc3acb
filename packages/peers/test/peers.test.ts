/** Communication among replicas (T27, T28): who is admitted, what is sent, and what happens when one stops. */
import { request as plainRequest } from 'node:http';
import { type Agent, createServer, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { type After, RelayError } from '@meshrelay/relay-protocol';
import { assert, eventually, test } from '@meshrelay/testing';
import {
  callPeer,
  isDue,
  makePeerKeys,
  type Peer,
  PeerFailure,
  type PeerGroup,
  type PeerKeys,
  PeerServer,
  peerConnections,
  readPeerKeys,
} from '../src/mod.ts';
import { lineOf } from '../src/peer-lines.ts';

const group: PeerGroup = { secret: 'peers', name: 'some-peers.meshrelay' };
const keysOf = async (of = group): Promise<PeerKeys> =>
  readPeerKeys(of, await makePeerKeys(of, new Date())) as PeerKeys;
const keys = await keysOf();
const others = await keysOf();
const forever = new AbortController().signal;

const disposable = (connections: Agent) => ({ connections, [Symbol.dispose]: () => connections.destroy() });

type Answer = (given: unknown, signal: AbortSignal) => AsyncIterable<unknown>;

async function* words(...all: readonly unknown[]): AsyncGenerator<unknown> {
  yield* all;
}

/** Sends a first reply, and runs until its reader disconnects. */
async function* tail(_given: unknown, signal: AbortSignal): AsyncGenerator<unknown> {
  yield 'begun';
  await new Promise((resume) => signal.addEventListener('abort', resume));
}

/** A replica with the method `words` and the given ones. */
async function serving(more: Readonly<Record<string, Answer>> = {}, use: PeerKeys | 'none' = keys) {
  const failed: unknown[] = [];
  const methods = new Map<string, Answer>(Object.entries({ words: () => words('a', 'b'), tail, ...more }));
  const server = await PeerServer.start({
    listen: { host: '127.0.0.1', port: 0 },
    replica: 'replica-1',
    answers: {
      knows: (method) => methods.has(method),
      answer: (method, given, signal) => methods.get(method)?.(given, signal) ?? words(),
    },
    onFailed: (_method, error) => failed.push(error),
  });
  if (use !== 'none') server.use(use);
  const peer: Peer = { replica: 'replica-1', address: '127.0.0.1', port: server.port };
  return { server, failed, peer };
}

interface AskOptions {
  readonly use?: PeerKeys;
  readonly given?: unknown;
  readonly signal?: AbortSignal;
}

const ask = (peer: Peer, method: string, { use = keys, given = {}, signal = forever }: AskOptions = {}) =>
  callPeer(peer, use, { method, given, signal });

async function errorOf(answers: AsyncIterable<unknown>): Promise<Error | undefined> {
  try {
    for await (const _ of answers);
  } catch (error) {
    return error as Error;
  }
  return undefined;
}

const problemOf = async (peer: Peer, method = 'words', options: AskOptions = {}): Promise<string> =>
  (await errorOf(ask(peer, method, options)))?.message ?? 'no problem';

/** Sends a raw request without a token. @returns the status */
const statusOf = ({ port }: Peer, path: string, method: string): Promise<number | undefined> =>
  new Promise((done, failed) => {
    const options = { host: '127.0.0.1', port, path, method, ca: keys.root, agent: false };
    request({ ...options, servername: group.name }, (response) => {
      response.resume();
      done(response.statusCode);
    })
      .on('error', failed)
      .end();
  });

test('a caller gets the replies of the other replica', async () => {
  const { server, peer } = await serving();
  await using _ = server;
  const replies: unknown[] = [];
  for await (const reply of ask(peer, 'words')) replies.push(reply);
  assert.equal(replies, ['a', 'b']);
});

test('a peer without the keys gets nothing, and callers send their token to key holders only', async () => {
  const { server, peer } = await serving();
  await using _ = server;
  assert.match(await problemOf(peer, 'words', { use: others }), /certificate/);
  assert.match(await problemOf(peer, 'words', { use: { ...keys, token: others.token } }), /401/);
  const program = { ...group, name: 'other-peers.meshrelay' };
  assert.match(await problemOf(peer, 'words', { use: { ...keys, name: program.name } }), /altnames|certificate/i);
});

test('without the token every path answers alike, and no method is called', async () => {
  let requested = 0;
  const count = (): AsyncIterable<unknown> => {
    requested++;
    return words();
  };
  const { server, peer } = await serving({ words: count, tail: count });
  await using _ = server;
  for (const path of ['/v1/words', '/v1/tail', '/v1/nothing', '/v1/__proto__', '/', '/metrics'])
    for (const method of ['GET', 'POST', 'DELETE'])
      assert.is(await statusOf(peer, path, method), 401, `${method} ${path}`);
  assert.is(requested, 0);
});

test('unencrypted requests get no answer', async () => {
  const { server, peer } = await serving();
  await using _ = server;
  const problem = await new Promise((done) => {
    plainRequest({ host: '127.0.0.1', port: peer.port, path: '/v1/words', method: 'POST', agent: false }, () =>
      done('an answer'),
    )
      .on('error', () => done('an end'))
      .end('{}');
  });
  assert.is(problem, 'an end');
});

test('a call for another replica is rejected', async () => {
  const { server, peer } = await serving();
  await using _ = server;
  assert.match(await problemOf({ ...peer, replica: 'replica-2' }), /421: this is replica replica-1/);
});

test('concurrent calls are limited', async () => {
  const { server, peer } = await serving();
  await using _ = server;
  const gone = new AbortController();
  const tails = Array.from({ length: 16 }, () => problemOf(peer, 'tail', { signal: gone.signal }));
  await eventually('all are answered', () => server.calls === 16);
  assert.match(await problemOf(peer), /503/);
  gone.abort();
  await Promise.all(tails);
  await eventually('they are done', () => server.calls === 0);
  assert.is(await problemOf(peer), 'no problem');
});

test('before keys are set every caller is rejected; new keys apply from the next connection', async () => {
  const { server, peer } = await serving({}, 'none');
  await using _ = server;
  assert.not.ok(server.open);
  assert.is.not(await problemOf(peer), 'no problem');
  server.use(keys);
  assert.is(await problemOf(peer), 'no problem');
  server.use(others);
  assert.is(await problemOf(peer, 'words', { use: others }), 'no problem');
  assert.is.not(await problemOf(peer), 'no problem');
});

test('unknown methods and calls that are too long or unreadable are rejected', async () => {
  const strict = (): AsyncIterable<unknown> => {
    throw new RelayError('RELAY_E_PROTOCOL', 'strict: expected another question');
  };
  const { server, peer, failed } = await serving({ strict });
  await using _ = server;
  assert.match(await problemOf(peer, 'nothing'), /404/);
  assert.match(await problemOf(peer, 'words', { given: 'x'.repeat(100_000) }), /400.*65536 bytes/);
  assert.match(await problemOf(peer, 'strict'), /400.*strict: expected another question/);
  assert.equal(failed, [], 'that is the fault of who asks');
});

test('a failed answer is an error; Meshrelay errors are sent, others stay local', async () => {
  async function* broken(error: Error): AsyncGenerator<unknown> {
    yield 'begun';
    throw error;
  }
  const { server, peer, failed } = await serving({
    bug: () => broken(new Error('the password is 1234')),
    reported: () => broken(new RelayError('RELAY_E_TIMEOUT', 'it took too long')),
  });
  await using _ = server;
  const bug = await errorOf(ask(peer, 'bug'));
  assert.instance(bug, PeerFailure);
  assert.not.match(bug?.message ?? '', /1234/);
  assert.match(String(failed[0]), /1234/);
  const reported = (await errorOf(ask(peer, 'reported'))) as PeerFailure;
  assert.equal(
    [reported instanceof PeerFailure, reported.code, reported.message],
    [true, 'RELAY_E_TIMEOUT', 'it took too long'],
  );
  assert.is(failed.length, 1);
});

test('a call runs until its reader disconnects, and ends there too', async () => {
  const { server, peer } = await serving();
  await using _ = server;
  for await (const reply of ask(peer, 'tail')) {
    assert.is(reply, 'begun');
    assert.is(server.calls, 1);
    break;
  }
  await eventually('it has ended there', () => server.calls === 0);
});

test('a replica that stops aborts its answers', async () => {
  const { server, peer } = await serving();
  const replies = ask(peer, 'tail');
  assert.is((await replies.next()).value, 'begun');
  await server[Symbol.asyncDispose]();
  const error = await replies.next().catch((thrown: unknown) => thrown);
  assert.instance(error, RelayError);
  assert.not.ok(error instanceof PeerFailure, 'it did not say so');
});

test('a replica that is silent while a reader waits counts as gone; one with a slow reader does not', async () => {
  const { server, peer } = await serving();
  await using _ = server;
  const alarms = new Set<() => void>();
  const after: After = (_milliseconds, work) => {
    alarms.add(work);
    return () => alarms.delete(work);
  };
  const replies = callPeer(peer, keys, { method: 'tail', given: {}, signal: forever, after });
  await replies.next();
  assert.is(alarms.size, 0, 'no call waits');
  const next = replies.next().catch((thrown: unknown) => thrown);
  await eventually('one call waits', () => alarms.size === 1);
  for (const alarm of alarms) alarm();
  assert.match(String(await next), 'no message arrived for 15 s');
});

test('successive calls share a connection, but not with other keys', async () => {
  const { server, peer } = await serving();
  await using _ = server;
  using retained = disposable(peerConnections());
  const { connections } = retained;
  const free = (): unknown[] => Object.values(connections.freeSockets).flatMap((sockets) => sockets ?? []);
  for (let times = 0; times < 3; times++) {
    assert.is(
      await errorOf(callPeer(peer, keys, { method: 'words', given: {}, signal: forever, connections })),
      undefined,
    );
    await eventually('it is kept', () => free().length === 1);
  }
  const [first] = free();
  const refused = await errorOf(callPeer(peer, others, { method: 'words', given: {}, signal: forever, connections }));
  assert.match(String(refused), /certificate/);
  assert.is(free()[0], first);
});

test('a call on a connection that just ended is sent on another', async () => {
  const requested = new WeakSet<object>();
  let rejections = 0;
  const server = createServer({ key: keys.key, cert: keys.certificate }, (incoming, response) => {
    if (requested.has(incoming.socket)) {
      rejections++;
      incoming.socket.destroy();
      return;
    }
    requested.add(incoming.socket);
    response.end(lineOf({ reply: 'a' }) + lineOf({ end: true }));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  await using _ = { [Symbol.asyncDispose]: () => new Promise<void>((closed) => server.close(() => closed())) };
  using retained = disposable(peerConnections());
  const { connections } = retained;
  const peer: Peer = { replica: 'replica-1', address: '127.0.0.1', port: (server.address() as AddressInfo).port };
  for (let times = 0; times < 2; times++) {
    const replies: unknown[] = [];
    for await (const reply of callPeer(peer, keys, { method: 'words', given: {}, signal: forever, connections }))
      replies.push(reply);
    assert.equal(replies, ['a']);
    const free = (): boolean => Object.values(connections.freeSockets).some((sockets) => sockets?.length === 1);
    await eventually('it is kept', free);
  }
  assert.is(rejections, 1);
});

test('keys are replaced in the second half of their validity, and if they are invalid', async () => {
  const day = 24 * 3_600_000;
  assert.not.ok(isDue(keys, new Date()));
  assert.not.ok(isDue(keys, new Date(Date.now() + 40 * day)));
  assert.ok(isDue(keys, new Date(Date.now() + 50 * day)));
  assert.ok(isDue(undefined, new Date()));
  assert.ok(isDue({ ...keys, certificate: 'none' }, new Date()));
  assert.is(readPeerKeys(group, { token: 'x' }), undefined);
});

test.run();
