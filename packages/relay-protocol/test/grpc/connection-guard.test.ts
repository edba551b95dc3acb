/** The guard on real HTTP/2: a quiet connection costs no JavaScript for its pings, and a flood on it is told all the same. */
import { once } from 'node:events';
import { type ClientHttp2Session, connect, createServer, type ServerHttp2Session } from 'node:http2';
import type { AddressInfo } from 'node:net';
import type { Server } from '@grpc/grpc-js';
import { assert, eventually, test } from '@meshrelay/testing';
import { addressOf, ConnectionGuard, type GuardReason } from '../../src/grpc/connection-guard.ts';
import { DEFAULT_CONNECTION_LIMITS } from '../../src/grpc/connection-limits.ts';
import { PeerLog } from '../../src/grpc/peer-log.ts';
import { SILENT } from '../../src/logger.ts';

/** More than anybody pings who waits for each answer, and nothing to one who does not. */
const LIMITS = { ...DEFAULT_CONNECTION_LIMITS, pings: 1_000, window: 100 };
/** HTTP/2 libraries cut off by themselves who lets more than a thousand answers wait. */
const BURST = 800;

const now = (): number => performance.now();
const log = new PeerLog({ logger: SILENT, window: LIMITS.window, now });

function ping(client: ClientHttp2Session): Promise<void> {
  return new Promise((resolve, reject) => {
    client.ping((error) => (error === null ? resolve() : reject(error)));
  });
}

test('pings of a quiet connection whose peer is proved are counted no more; a flood that begins then is cut off', async () => {
  const refused: GuardReason[] = [];
  const guard = new ConnectionGuard({ limits: LIMITS, now, log, onRefused: (reason) => refused.push(reason) });
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  // What the guard sees of grpc-js' server.
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

test.run();
