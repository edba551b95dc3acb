/**
 * Rejections by grpc-js before any handler runs: counted once by method and code, logged with the next action, without
 * effect on other streams.
 */
import { Buffer } from 'node:buffer';
import { once } from 'node:events';
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  type OutgoingHttpHeaders,
} from 'node:http2';
import { assert, eventually, test } from '@meshrelay/testing';
import { registerRequestCodec } from '../../src/codec/codec.ts';
import type { RelayErrorCode } from '../../src/error-code.ts';
import { CLUSTER_HEADER, RELAY_SERVICE } from '../../src/grpc/service.ts';
import { NEXT_ACTIONS } from '../../src/next-actions.ts';
import { Authority } from './authority.ts';
import { connection, TestAgent, TestServer } from './fixture.ts';

const authority = await Authority.create();
const c1 = await authority.agent('c1');

interface Row {
  readonly sent: string;
  readonly path?: string;
  readonly headers?: OutgoingHttpHeaders;
  /** The written part of the body; the request ends after it. */
  readonly body: Buffer;
  /** As counted. */
  readonly counted: readonly [method: string, code: RelayErrorCode];
  /** The log text. */
  readonly reason: RegExp;
}

/** A message in gRPC framing. */
function framed(length: number, { packed = false } = {}): Buffer {
  const bytes = Buffer.alloc(5 + length);
  bytes.writeUInt8(packed ? 1 : 0, 0);
  bytes.writeUInt32BE(length, 1);
  return bytes;
}

const LIMIT = 64 * 1024;
const LARGE = framed(LIMIT + 1);

const ROWS: readonly Row[] = [
  {
    sent: 'a method that does not exist',
    path: '/meshrelay.relay.v1.Relay/Debug',
    body: framed(0),
    counted: ['unknown', 'RELAY_E_UNIMPLEMENTED'],
    reason: /does not implement the method \/meshrelay\.relay\.v1\.Relay\/Debug/,
  },
  {
    sent: 'a method with an endless name',
    path: `/${'x'.repeat(4000)}`,
    body: framed(0),
    counted: ['unknown', 'RELAY_E_UNIMPLEMENTED'],
    reason: /x{100,200}…\)/,
  },
  {
    sent: 'another service',
    path: '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo',
    body: framed(0),
    counted: ['unknown', 'RELAY_E_UNIMPLEMENTED'],
    reason: /ServerReflectionInfo/,
  },
  {
    sent: 'what is not gRPC',
    headers: { 'content-type': 'application/json' },
    body: Buffer.from('{}'),
    counted: ['Register', 'RELAY_E_PROTOCOL'],
    reason: /must be application\/grpc/,
  },
  {
    sent: 'a request that is not gRPC, without a service',
    path: '/',
    headers: { 'content-type': 'text/html' },
    body: Buffer.alloc(0),
    counted: ['unknown', 'RELAY_E_PROTOCOL'],
    reason: /must be application\/grpc/,
  },
  {
    sent: 'one message that is too large',
    body: LARGE,
    counted: ['Register', 'RELAY_E_RESOURCE_EXHAUSTED'],
    reason: /exceeds the size limit of this server \(.*65537 vs 65536.*\)/,
  },
  {
    sent: 'one message that is too large, on a stream',
    path: RELAY_SERVICE.Push.path,
    body: LARGE,
    counted: ['Push', 'RELAY_E_RESOURCE_EXHAUSTED'],
    reason: /exceeds the size limit of this server/,
  },
  {
    sent: 'no message',
    body: Buffer.alloc(0),
    counted: ['Register', 'RELAY_E_PROTOCOL'],
    reason: /exactly one message/,
  },
  {
    sent: 'two messages for one',
    body: Buffer.concat([framed(1), framed(1)]),
    counted: ['Register', 'RELAY_E_PROTOCOL'],
    reason: /exactly one message/,
  },
  {
    sent: 'a message with an unknown encoding',
    headers: { 'grpc-encoding': 'rolled-up' },
    body: framed(3, { packed: true }),
    counted: ['Register', 'RELAY_E_PROTOCOL'],
    reason: /cannot be unpacked .*rolled-up/,
  },
  {
    sent: 'a message that is not packed as it says',
    headers: { 'grpc-encoding': 'gzip' },
    body: framed(3, { packed: true }),
    counted: ['Register', 'RELAY_E_PROTOCOL'],
    reason: /cannot be unpacked/,
  },
  {
    sent: 'a malformed deadline',
    headers: { 'grpc-timeout': 'soon' },
    body: framed(0),
    counted: ['Register', 'RELAY_E_PROTOCOL'],
    reason: /grpc-timeout/,
  },
  {
    sent: 'a malformed deadline, on a stream',
    path: RELAY_SERVICE.Push.path,
    headers: { 'grpc-timeout': 'soon' },
    body: Buffer.alloc(0),
    counted: ['Push', 'RELAY_E_PROTOCOL'],
    reason: /grpc-timeout/,
  },
];

function open(session: ClientHttp2Session, { path, headers }: Pick<Row, 'path' | 'headers'>): ClientHttp2Stream {
  const stream = session.request({
    ':method': 'POST',
    ':path': path ?? RELAY_SERVICE.Register.path,
    'content-type': 'application/grpc',
    te: 'trailers',
    [CLUSTER_HEADER]: 'c1',
    ...headers,
  });
  return stream.on('error', () => undefined).resume();
}

/** Sends it. Resolves when the server has ended the call. */
function send(session: ClientHttp2Session, row: Pick<Row, 'path' | 'headers' | 'body'>): Promise<unknown> {
  return once(open(session, row).end(row.body), 'close');
}

test('each is counted once by method and code, logged with reason and next action; other streams continue', async () => {
  await using server = await TestServer.start(authority, { limits: { messageBytes: LIMIT } });
  using link = connection(server, authority, 'c2', await authority.agent('c2'));
  const agent = new TestAgent('c2');
  const stream = link.push(agent.push());
  await stream.welcomed;
  const session = connect(`https://127.0.0.1:${server.relay.port}`, {
    rejectUnauthorized: false,
    key: c1.key,
    cert: c1.certificate,
  });
  for (const row of ROWS) {
    const { sent, counted, reason } = row;
    const [before, lines] = [server.refused.length, server.log.lines.length];
    await send(session, row);
    await eventually(`${sent} to be counted`, () => server.refused.length > before, { seen: () => server.log.lines });
    // Any further report would have arrived before the next answer.
    await new Promise((answered) => session.ping(answered));
    assert.equal(server.refused.slice(before), [counted.join(' ')], sent);
    const announced = server.log.lines.slice(lines).map((line) => JSON.parse(line) as Record<string, string>);
    const [rejection, ...more] = announced.filter(({ level }) => level === 'warn');
    assert.equal(more, [], sent);
    const [method, code] = counted;
    assert.equal(
      [rejection?.['method'], rejection?.['code'], rejection?.['next']],
      [method, code, NEXT_ACTIONS[code]],
      sent,
    );
    assert.match(rejection?.['reason'] ?? '', reason, sent);
    assert.match(rejection?.['peer'] ?? '', /^127\.0\.0\.1:\d+$/, sent);
  }
  session.destroy();
  assert.is(server.relay.sessions().filter(({ cluster }) => cluster === 'c2').length, 1);
});

test('cancelled calls and expired deadlines are not counted', async () => {
  const requested: string[] = [];
  const register = ({ token }: { readonly token: string }): Promise<never> => {
    requested.push(token);
    return new Promise(() => undefined);
  };
  await using server = await TestServer.start(authority, { register });
  const session = connect(`https://127.0.0.1:${server.relay.port}`, { rejectUnauthorized: false });
  const body = (token: string): Buffer => {
    const bytes = registerRequestCodec.encode({ cluster: 'c1', token, csrPem: '', program: '' });
    const message = framed(bytes.byteLength);
    message.set(bytes, 5);
    return message;
  };
  await send(session, { headers: { 'grpc-timeout': '500m' }, body: body('late') });
  const gone = open(session, {});
  gone.end(body('gone'));
  await eventually('both to be asked for', () => requested.length === 2, { seen: () => server.log.lines });
  gone.close(constants.NGHTTP2_CANCEL);
  const silent = open(session, { path: RELAY_SERVICE.Push.path });
  await new Promise((answered) => session.ping(answered));
  silent.close(constants.NGHTTP2_CANCEL);
  session.destroy();
  await eventually('the connection to be gone', () => server.relay.connections.connections === 0);
  assert.equal(requested, ['late', 'gone']);
  assert.equal(server.refused, ['Push RELAY_E_UNAUTHENTICATED']);
});

test.run();
