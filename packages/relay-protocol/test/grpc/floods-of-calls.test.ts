/** Unauthenticated calls are limited per address, and so are their log lines; other addresses are not affected. */
import { Buffer } from 'node:buffer';
import { type ClientHttp2Session, connect } from 'node:http2';
import { connect as connectTcp } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { assert, eventually, test } from '@meshrelay/testing';
import { registerRequestCodec } from '../../src/codec/codec.ts';
import { RelayError } from '../../src/errors.ts';
import { DEFAULT_CONNECTION_LIMITS } from '../../src/grpc/connection-limits.ts';
import { CLUSTER_HEADER, CODE_TRAILER, RELAY_SERVICE } from '../../src/grpc/service.ts';
import { Authority } from './authority.ts';
import { connection, TestAgent, TestServer } from './fixture.ts';
import { callHeaders, FRAME, frame, header, RawClient } from './raw-http2.ts';

const authority = await Authority.create();

const { anonymousCalls } = DEFAULT_CONNECTION_LIMITS;
/** Fewer than one connection may open within ten seconds. */
const CALLS = 95;
const LINES = 20;
/** HTTP/2's largest frame without negotiation. */
const FRAME_BYTES = 16_384;

function caller(server: TestServer, localAddress: string): ClientHttp2Session {
  const { port } = server.relay;
  const socket = connectTcp({ port, host: '127.0.0.1', localAddress });
  return connect(`https://127.0.0.1:${port}`, {
    createConnection: () => connectTls({ socket, ALPNProtocols: ['h2'], rejectUnauthorized: false }),
  });
}

/** Registers with an unknown token. @returns the code of the rejection */
function register(session: ClientHttp2Session, path: string = RELAY_SERVICE.Register.path): Promise<string> {
  const bytes = registerRequestCodec.encode({ cluster: 'c1', token: 'made-up', csrPem: '', program: '' });
  const head = Buffer.alloc(5);
  head.writeUInt32BE(bytes.byteLength, 1);
  const call = session.request({
    ':method': 'POST',
    ':path': path,
    'content-type': 'application/grpc',
    te: 'trailers',
    [CLUSTER_HEADER]: 'c1',
  });
  return new Promise((resolve, reject) => {
    const read = (headers: Readonly<Record<string, unknown>>): void => {
      const code = headers[CODE_TRAILER];
      if (code !== undefined) resolve(String(code));
    };
    call.on('response', read).on('trailers', read).on('error', reject).resume();
    call.end(Buffer.concat([head, bytes]));
  });
}

const warnings = (server: TestServer): Array<Readonly<Record<string, unknown>>> =>
  server.log.lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 'warn');

test('repeated registrations from one address are rejected without a check, do not fill the log, and exclude no other address', async () => {
  let heard = 0;
  await using server = await TestServer.start(authority, {
    register: () => {
      heard++;
      return Promise.reject(new RelayError('RELAY_E_UNAUTHENTICATED', 'the token is not known'));
    },
  });
  const codes: string[] = [];
  for (const _ of [1, 2, 3]) {
    const session = caller(server, '127.0.0.2');
    for (let call = 0; call < CALLS; call++) codes.push(await register(session));
    session.destroy();
  }
  assert.is(heard, anonymousCalls);
  assert.equal(new Set(codes.slice(0, anonymousCalls)), new Set(['RELAY_E_UNAUTHENTICATED']));
  assert.equal(new Set(codes.slice(anonymousCalls)), new Set(['RELAY_E_RESOURCE_EXHAUSTED']));
  assert.is(server.refused.length, 3 * CALLS, 'each is counted');

  const other = caller(server, '127.0.0.3');
  assert.is(await register(other), 'RELAY_E_UNAUTHENTICATED');
  other.destroy();
  assert.is(heard, anonymousCalls + 1);
});

test('rejected calls of one address do not fill the log or hide lines about another', async () => {
  await using server = await TestServer.start(authority);
  const session = caller(server, '127.0.0.2');
  for (let call = 0; call < CALLS; call++) await register(session, RELAY_SERVICE.Trust.path);
  session.destroy();
  const lines = warnings(server);
  assert.is(lines.length, LINES + 1);
  assert.is(lines.at(-1)?.['address'], '127.0.0.2', 'the last says that there are more');
  const other = caller(server, '127.0.0.3');
  await register(other, RELAY_SERVICE.Trust.path);
  other.destroy();
  assert.match(String(warnings(server).at(-1)?.['peer']), /^127\.0\.0\.3:/);
});

test('a call with more than 16 KiB of headers is rejected, even if the client never confirmed the limit', async () => {
  await using server = await TestServer.start(authority);
  const raw = (await RawClient.connect(server.relay.port)).begin();
  for (const [at, size] of [1_000, 15_000, 17_000, 60_000].entries()) {
    const block = callHeaders(header('x-large', 'y'.repeat(size)));
    const frames = Array.from({ length: Math.ceil(block.length / FRAME_BYTES) }, (_, index) =>
      block.subarray(index * FRAME_BYTES, (index + 1) * FRAME_BYTES),
    );
    for (const [index, part] of frames.entries())
      raw.send(
        frame(index === 0 ? FRAME.headers : FRAME.continuation, index === frames.length - 1 ? 4 : 0, 2 * at + 1, part),
      );
    await eventually('it to be refused', () => server.refused.length === at + 1, { seen: () => server.log.lines });
  }
  raw.end();
  assert.equal(server.refused, [
    ...Array(2).fill('Push RELAY_E_UNAUTHENTICATED'),
    ...Array(2).fill('Push RELAY_E_RESOURCE_EXHAUSTED'),
  ]);
});

test('connections of one address that end without a request do not fill the log', async () => {
  await using server = await TestServer.start(authority);
  for (let at = 0; at < 2 * LINES; at++) {
    const socket = connectTls({
      port: server.relay.port,
      host: '127.0.0.1',
      ALPNProtocols: ['h2'],
      rejectUnauthorized: false,
    });
    await new Promise<void>((resolve) => socket.once('secureConnect', () => socket.end(resolve)));
    socket.destroy();
  }
  await eventually('all to be gone', () => server.relay.connections.connections === 0);
  assert.is(warnings(server).length, LINES + 1);
});

test('callers with a certificate are not limited as unauthenticated', async () => {
  await using server = await TestServer.start(authority);
  const session = caller(server, '127.0.0.1');
  for (let call = 0; call < CALLS; call++) await register(session);
  session.destroy();
  const again = caller(server, '127.0.0.1');
  for (let call = 0; call < CALLS; call++) await register(again);
  again.destroy();
  using link = connection(server, authority, 'c2', await authority.agent('c2'));
  const stream = link.push(new TestAgent('c2').push());
  assert.ok(await stream.welcomed);
});

test.run();
