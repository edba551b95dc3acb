/** The guard on real HTTP/2: pings on a quiet connection run no JavaScript, and a flood on it is still detected. */
import { once } from 'node:events';
import { type ClientHttp2Session, connect, createServer, type ServerHttp2Session } from 'node:http2';
import { type AddressInfo, connect as connectTcp, createServer as createTcpServer, type Socket } from 'node:net';
import type { Server } from '@grpc/grpc-js';
import { assert, eventually, test } from '@meshrelay/testing';
import { addressOf, ConnectionGuard, type GuardReason } from '../../src/grpc/connection-guard.ts';
import { type ConnectionLimits, DEFAULT_CONNECTION_LIMITS } from '../../src/grpc/connection-limits.ts';
import { PeerLog } from '../../src/grpc/peer-log.ts';
import { SILENT } from '../../src/logger.ts';

/** More pings than any client sends that waits for answers, and few for a flood. */
const LIMITS = { ...DEFAULT_CONNECTION_LIMITS, pings: 1_000, window: 100 };
/** HTTP/2 libraries disconnect a peer with more than a thousand pending answers. */
const BURST = 800;

const now = (): number => performance.now();
const log = new PeerLog({ logger: SILENT, window: LIMITS.window, now });

function ping(client: ClientHttp2Session): Promise<void> {
  return new Promise((resolve, reject) => {
    client.ping((error) => (error === null ? resolve() : reject(error)));
  });
}

test('pings of an idle authenticated connection are no longer counted; a flood that starts later is cut off', async () => {
  const refused: GuardReason[] = [];
  const guard = new ConnectionGuard({ limits: LIMITS, now, log, onRefused: (reason) => refused.push(reason) });
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  // The events of grpc-js' server that the guard uses.
  guard.watch({ http2Servers: new Map([[server, undefined]]) } as unknown as Server);
  const arrived = once(server, 'session') as Promise<[ServerHttp2Session]>;
  const { port } = server.address() as AddressInfo;
  const client = connect(`http://127.0.0.1:${port}`, { maxOutstandingPings: 1_000_000 } as object);
  client.on('error', () => undefined);
  const [[session]] = await Promise.all([arrived, once(client, 'connect')]);
  const counted = (): boolean => session.listenerCount('ping') > 0;
  for (let round = 0; round < 20; round++) await ping(client);
  assert.ok(counted(), 'who has proved nothing is counted');
  guard.proved(addressOf(session.socket));
  await eventually('pings to be counted no more', async () => {
    await ping(client);
    return !counted();
  });
  while (!client.closed && !client.destroyed) {
    for (let sent = 1; sent < BURST && !client.destroyed; sent++) client.ping(() => undefined);
    await ping(client).catch(() => undefined);
  }
  assert.equal(refused, ['pings']);
  server.close();
});

/** A guarded port, and a function to connect to it from a local address. */
async function guarded(limits: Partial<ConnectionLimits>, refused: GuardReason[], now: () => number) {
  const onRefused = (reason: GuardReason): unknown => refused.push(reason);
  const guard = new ConnectionGuard({ limits: { ...LIMITS, ...limits }, now, log, onRefused });
  const server = createTcpServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  guard.watch({ http2Servers: new Map([[server, undefined]]) } as unknown as Server);
  const { port } = server.address() as AddressInfo;
  const sockets: Socket[] = [];
  return {
    guard,
    /** @returns the socket, once the server has accepted it */
    async from(localAddress: string): Promise<Socket> {
      const socket = connectTcp({ port, host: '127.0.0.1', localAddress }).on('error', () => undefined);
      sockets.push(socket);
      await Promise.all([once(server, 'connection'), once(socket, 'connect')]);
      return socket;
    },
    async [Symbol.asyncDispose](): Promise<void> {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

test('half-open connections of one address do not exclude other addresses, however new they are', async () => {
  const refused: GuardReason[] = [];
  await using port = await guarded({ unverified: 4 }, refused, () => 0);
  const flood: Socket[] = [];
  for (let at = 0; at < 4; at++) flood.push(await port.from('127.0.0.2'));
  const agent = await port.from('127.0.0.3');
  await eventually('the oldest of the flood to make way', () => flood[0]?.closed === true);
  for (let at = 0; at < 4; at++) await port.from('127.0.0.2');
  await eventually('the rest of the flood to be refused', () => refused.length === 5);
  assert.not.ok(agent.closed);
  assert.equal(new Set(refused), new Set(['unverified']));
  assert.is(port.guard.counts.unverified, 4);
});

test('when all addresses have equally many connections, the oldest one is closed after its minimum time', async () => {
  let now = 0;
  const refused: GuardReason[] = [];
  await using port = await guarded({ unverified: 2 }, refused, () => now);
  const first = await port.from('127.0.0.2');
  const second = await port.from('127.0.0.3');
  const early = await port.from('127.0.0.4');
  await eventually('the third to be refused', () => early.closed);
  now = 2_000;
  await port.from('127.0.0.4');
  await eventually('the oldest to make way', () => first.closed);
  assert.not.ok(second.closed);
});

test.run();
