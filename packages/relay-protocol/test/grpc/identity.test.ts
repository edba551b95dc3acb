/** Access rules: no method except Register without a certificate, and no cluster except the certificate's. */
import { Buffer } from 'node:buffer';
import { type ClientHttp2Stream, connect as connectHttp2, constants } from 'node:http2';
import { Client, credentials, Metadata, type StatusObject, status } from '@grpc/grpc-js';
import { createCsr, generateKey, issueAgentCertificate, writePrivateKey } from '@meshrelay/pki';
import { assert, eventually, test } from '@meshrelay/testing';
import { pushRequestCodec, registerRequestCodec } from '../../src/codec/codec.ts';
import type { RelayError } from '../../src/errors.ts';
import { authorize, requireClusterHeader } from '../../src/grpc/identity.ts';
import { ACCESS, CLUSTER_HEADER, type MethodName, RELAY_SERVICE } from '../../src/grpc/service.ts';
import { NEXT_ACTIONS } from '../../src/next-actions.ts';
import { KINDS } from '../link.ts';
import { Authority, type ClientCertificate } from './authority.ts';
import { TestServer, TOKEN } from './fixture.ts';

const { NGHTTP2_CANCEL } = constants;
const authority = await Authority.create();
const stranger = await Authority.create('another root');
const c1 = await authority.agent('c1');

const pass = (bytes: Buffer): Buffer => bytes;

/** A raw client that can send anything, without the checks of the real client. */
function rogue(server: TestServer, certificate?: ClientCertificate): Client {
  const [key, chain] =
    certificate === undefined
      ? [null, null]
      : [certificate.key, certificate.certificate].map((pem) => Buffer.from(pem));
  const tls = credentials.createSsl(Buffer.from(authority.rootsPem), key, chain);
  return new Client(server.address, tls, {
    'grpc.ssl_target_name_override': 'relay.test',
    'grpc.use_local_subchannel_pool': 1,
  });
}

function headers(...values: readonly string[]): Metadata {
  const metadata = new Metadata();
  for (const value of values) metadata.add(CLUSTER_HEADER, value);
  return metadata;
}

/** Calls a method with one message. @returns how it ended, or `opened` when the server answered */
function attempt(
  client: Client,
  path: string,
  streams: boolean,
  metadata: Metadata,
  bytes: Buffer,
): Promise<StatusObject | 'opened'> {
  return new Promise((resolve) => {
    if (!streams) {
      client
        .makeUnaryRequest(path, pass, pass, bytes, metadata, (error) => error === null && resolve('opened'))
        .on('status', resolve);
      return;
    }
    const call = client.makeBidiStreamRequest(path, pass, pass, metadata);
    call.on('error', () => undefined);
    call.on('status', resolve);
    call.on('data', () => {
      resolve('opened');
      call.cancel();
    });
    call.write(bytes);
  });
}

const hello = (cluster: string): Buffer =>
  pushRequestCodec.encode({ type: 'hello', cluster, term: 1, kinds: KINDS, capabilities: [], program: '' });

const push = (client: Client, metadata: Metadata, cluster = ''): Promise<StatusObject | 'opened'> =>
  attempt(client, RELAY_SERVICE.Push.path, true, metadata, hello(cluster));

test('T12: every method except Register and Renew rejects a caller without a certificate', async () => {
  await using server = await TestServer.start(authority);
  const client = rogue(server);
  const answers: Record<string, unknown> = {};
  for (const [name, { path, requestStream }] of Object.entries(RELAY_SERVICE)) {
    const answer = await attempt(client, path, requestStream, headers('c1'), hello('c1'));
    answers[name] = answer === 'opened' ? answer : status[answer.code];
  }
  client.close();
  assert.equal(answers, {
    // Admitted, and then rejected for its content.
    Register: 'PERMISSION_DENIED',
    // Authenticates its caller itself, where a host offers it.
    Renew: 'UNIMPLEMENTED',
    Trust: 'UNAUTHENTICATED',
    Sign: 'UNAUTHENTICATED',
    Push: 'UNAUTHENTICATED',
    Pull: 'UNAUTHENTICATED',
    Invoke: 'UNAUTHENTICATED',
  });
  assert.is(server.sessions.length, 0);
  assert.equal(server.refused, [
    'Register RELAY_E_IDENTITY_MISMATCH',
    'Renew RELAY_E_UNIMPLEMENTED',
    ...['Trust', 'Sign', 'Push', 'Pull', 'Invoke'].map((name) => `${name} RELAY_E_UNAUTHENTICATED`),
  ]);
});

test('T12: a method without a rule is denied, and an unknown one does not exist', async () => {
  const facts = { metadata: headers('c1'), getAuthContext: () => ({ sslPeerCertificate: { raw: Buffer.from('x') } }) };
  for (const name of ['Debug', 'toString', '__proto__', 'constructor', '']) {
    await authorize(name as MethodName, facts, { identify: () => ({ cluster: 'c1' }) }).then(
      () => assert.unreachable(name),
      (error: RelayError) => assert.is(error.code, 'RELAY_E_IDENTITY_MISMATCH'),
    );
  }
  await using server = await TestServer.start(authority);
  const client = rogue(server, c1);
  const answer = await attempt(client, '/meshrelay.relay.v1.Relay/Debug', false, headers('c1'), Buffer.alloc(0));
  client.close();
  assert.is((answer as StatusObject).code, status.UNIMPLEMENTED);
});

test('T12: exactly these methods need no client certificate; a new method must be added here', () => {
  const by = (access: string): string[] =>
    Object.entries(ACCESS).flatMap(([name, one]) => (one === access ? [name] : []));
  assert.equal(Object.keys(ACCESS).sort(), Object.keys(RELAY_SERVICE).sort());
  assert.equal(by('anyone'), ['Register']);
  assert.equal(by('holder'), ['Renew']);
  assert.equal(by('cluster'), ['Trust', 'Sign', 'Push', 'Pull', 'Invoke']);
});

test('T12: no other spelling of a method, and no other type of call, passes the gate', async () => {
  await using server = await TestServer.start(authority);
  const client = rogue(server);
  const refused = [
    status.UNAUTHENTICATED,
    status.UNIMPLEMENTED,
    status.PERMISSION_DENIED,
    status.INTERNAL,
    status.INVALID_ARGUMENT,
  ];
  for (const [name, { path, requestStream }] of Object.entries(RELAY_SERVICE)) {
    if (requestStream) {
      const other = await attempt(client, path, false, headers('c1'), hello('c1'));
      assert.is((other as StatusObject).code, status.UNAUTHENTICATED, `${name} called as unary`);
    }
    for (const spelling of [
      path.toLowerCase(),
      path.toUpperCase(),
      `${path}/`,
      `/${path}`,
      path.replace('/meshrelay', '/x/../meshrelay'),
      path.replaceAll('/', '//'),
      path.replace('.v1.', '%2ev1%2e'),
      `${path}?x`,
    ]) {
      const answer = await attempt(client, spelling, requestStream, headers('c1'), hello('c1'));
      assert.ok(answer !== 'opened' && refused.includes(answer.code), `${spelling}: ${JSON.stringify(answer)}`);
    }
  }
  client.close();
  assert.is(server.sessions.length, 0);
});

test('T12: unary methods called as streams with no message, two, or no end are not answered', async () => {
  let requested = 0;
  const register = async () => {
    requested += 1;
    return { certificatePem: '', rootsPem: '' };
  };
  await using server = await TestServer.start(authority, { register });
  const session = connectHttp2(`https://127.0.0.1:${server.relay.port}`, { rejectUnauthorized: false });
  session.on('error', () => undefined);
  const message = Buffer.from([0, 0, 0, 0, 0]);
  const open = (path: string): ClientHttp2Stream => {
    const head = { ':method': 'POST', ':path': path, 'content-type': 'application/grpc', te: 'trailers' };
    const stream = session.request({ ...head, [CLUSTER_HEADER]: 'c1' });
    stream.on('error', () => undefined).on('data', () => assert.unreachable(`${path} was answered`));
    return stream;
  };
  for (const [name, { path, requestStream }] of Object.entries(RELAY_SERVICE)) {
    if (requestStream) continue;
    for (const messages of [0, 2]) {
      const stream = open(path);
      for (let sent = 0; sent < messages; sent++) stream.write(message);
      stream.end();
      const status = await new Promise<unknown>((resolve) => {
        stream.once('response', (head) => head['grpc-status'] !== undefined && resolve(head['grpc-status']));
        stream.once('trailers', (trailers) => resolve(trailers['grpc-status']));
      });
      assert.ok(Number(status) > 0, `${name} with ${messages} messages ended with ${String(status)}`);
      stream.close();
    }
    const endless = open(path);
    endless.write(message);
    // When a ping is answered, the server has read everything before it.
    await new Promise((answered) => session.ping(answered));
    endless.close(NGHTTP2_CANCEL);
    await new Promise((answered) => session.ping(answered));
  }
  session.destroy();
  assert.is(requested, 0, 'no work was done for any of them');
});

test('with a certificate, methods that are not offered are unimplemented', async () => {
  await using server = await TestServer.start(authority);
  const client = rogue(server, c1);
  for (const name of ['Renew', 'Invoke'] as const) {
    const { path, requestStream } = RELAY_SERVICE[name];
    const answer = await attempt(client, path, requestStream, headers('c1'), Buffer.alloc(0));
    assert.is((answer as StatusObject).code, status.UNIMPLEMENTED, name);
  }
  client.close();
});

test('certificates of another root, server certificates and expired certificates are rejected', async () => {
  await using server = await TestServer.start(authority);
  const key = await generateKey('agent');
  const longAgo = await issueAgentCertificate({
    ca: { ...authority.ca, certificate: { ...authority.ca.certificate, notBefore: new Date(0) } },
    csrPem: await createCsr({ key }),
    identity: 'spiffe://relay.test/cluster/c1/agent' as never,
    days: 1,
    now: new Date(Date.now() - 3 * 86_400_000),
  });
  if (!longAgo.ok) throw new Error(longAgo.message);
  const certificates = {
    otherRoot: await stranger.agent('c1'),
    forServers: { key: authority.server.key, certificate: authority.server.certificate },
    expired: { key: writePrivateKey(key), certificate: longAgo.chainPem },
  };
  for (const [name, certificate] of Object.entries(certificates)) {
    const client = rogue(server, certificate);
    const answer = await push(client, headers('c1'));
    client.close();
    assert.is((answer as StatusObject).code, status.UNAUTHENTICATED, name);
    assert.ok((answer as StatusObject).details.length > 20, name);
  }
  assert.is(server.sessions.length, 0);
  await eventually(
    'the reasons in the log',
    () => server.log.lines.filter((line) => line.includes('refused')).length === 3,
  );
  for (const line of server.log.lines.filter((each) => each.includes('refused')))
    assert.is(JSON.parse(line).next, NEXT_ACTIONS.RELAY_E_UNAUTHENTICATED);
  assert.equal(server.refused, Array(3).fill('Push RELAY_E_UNAUTHENTICATED'));
});

test('T1: the header must occur once and name the cluster of the certificate', async () => {
  await using server = await TestServer.start(authority);
  const client = rogue(server, c1);
  const claims = [
    [],
    ['c2'],
    ['c'],
    ['c1x'],
    ['C1'],
    [''],
    ['c1', 'c1'],
    ['c1', 'c2'],
    ['c1,c1'],
    ['spiffe://relay.test/cluster/c1/agent'],
  ];
  for (const claim of claims) {
    const answer = await push(client, headers(...claim));
    assert.is((answer as StatusObject).code, status.PERMISSION_DENIED, JSON.stringify(claim));
  }
  assert.equal(server.refused, Array(claims.length).fill('Push RELAY_E_IDENTITY_MISMATCH'));
  assert.is(await push(client, headers('c1')), 'opened');
  client.close();
  for (const claim of ['с1', 'c1\0', 'c1 ', ' c1', 'c1\n', 'c１']) {
    const metadata = { get: () => [claim] } as unknown as Metadata;
    assert.throws(
      () => requireClusterHeader(metadata, 'c1'),
      (error: RelayError) => error.code === 'RELAY_E_IDENTITY_MISMATCH',
      claim,
    );
  }
});

test('T1: hello must name no cluster or that of the certificate', async () => {
  await using server = await TestServer.start(authority);
  const client = rogue(server, c1);
  const claims = ['c2', 'c', 'c1x', 'C1', 'с1', 'c1\0', 'c1 ', ' '];
  for (const claim of claims) {
    const answer = await push(client, headers('c1'), claim);
    assert.is((answer as StatusObject).code, status.PERMISSION_DENIED, JSON.stringify(claim));
  }
  assert.is(server.sessions.length, 0, 'no refused stream reached the host');
  assert.equal(server.refused, Array(claims.length).fill('Push RELAY_E_IDENTITY_MISMATCH'));
  assert.is(await push(client, headers('c1'), 'c1'), 'opened');
  assert.is(server.sessions[0]?.cluster, 'c1');
  client.close();
});

test('a registration must name the same cluster in header and body', async () => {
  await using server = await TestServer.start(authority);
  const client = rogue(server);
  const csrPem = await createCsr({ key: await generateKey('agent') });
  const bytes = registerRequestCodec.encode({ cluster: 'c1', token: TOKEN, csrPem, program: '' });
  for (const claim of [[], ['c2'], ['c1', 'c2']]) {
    const answer = await attempt(client, RELAY_SERVICE.Register.path, false, headers(...claim), bytes);
    assert.is((answer as StatusObject).code, status.PERMISSION_DENIED, JSON.stringify(claim));
  }
  const huge = registerRequestCodec.encode({ cluster: 'c1', token: 'x'.repeat(100_000), csrPem, program: '' });
  const answer = await attempt(client, RELAY_SERVICE.Register.path, false, headers('c1'), huge);
  assert.is((answer as StatusObject).code, status.RESOURCE_EXHAUSTED);
  assert.equal(server.refused, [
    ...Array(3).fill('Register RELAY_E_IDENTITY_MISMATCH'),
    'Register RELAY_E_RESOURCE_EXHAUSTED',
  ]);
  assert.is(await attempt(client, RELAY_SERVICE.Register.path, false, headers('c1'), bytes), 'opened');
  client.close();
});

test('invalid bytes, and messages beyond the limit, end that stream with a reason', async () => {
  await using server = await TestServer.start(authority);
  const client = rogue(server, c1);
  const garbage = await attempt(client, RELAY_SERVICE.Push.path, true, headers('c1'), Buffer.from([1, 2, 3]));
  assert.is((garbage as StatusObject).code, status.INVALID_ARGUMENT);
  const large = await attempt(client, RELAY_SERVICE.Push.path, true, headers('c1'), Buffer.alloc(1024 * 1024 + 1));
  assert.is((large as StatusObject).code, status.RESOURCE_EXHAUSTED);
  // grpc-js itself rejects the second one, before any of our code runs.
  await eventually('both to be counted', () => server.refused.length === 2, { seen: () => server.refused });
  assert.equal(server.refused, ['Push RELAY_E_PROTOCOL', 'Push RELAY_E_RESOURCE_EXHAUSTED']);
  client.close();
});

test('a too large message on a running stream is counted with its own code', async () => {
  await using server = await TestServer.start(authority);
  const client = rogue(server, c1);
  const large = client.makeBidiStreamRequest(RELAY_SERVICE.Push.path, pass, pass, headers('c1'));
  const ended = new Promise<StatusObject>((resolve) => large.on('status', resolve));
  large.on('error', () => undefined);
  large.once('data', () => large.write(Buffer.alloc(1024 * 1024 + 1)));
  large.write(hello(''));
  assert.is((await ended).code, status.RESOURCE_EXHAUSTED);
  await eventually('it to be counted', () => server.refused.length === 1, { seen: () => server.refused });
  assert.equal(server.refused, ['Push RELAY_E_RESOURCE_EXHAUSTED']);
  client.close();
  await eventually('the stream to be over', () => server.relay.sessions().length === 0);
});

test('a stream without any message is ended before one that falls silent, and counted', async () => {
  const hour = 3_600_000;
  const heartbeats = { every: hour, idleTimeoutMs: hour, openWithin: 50, staleAfter: hour };
  await using server = await TestServer.start(authority, { heartbeats });
  const client = rogue(server, c1);
  const call = client.makeBidiStreamRequest(RELAY_SERVICE.Push.path, pass, pass, headers('c1'));
  call.on('error', () => undefined);
  call.on('data', () => undefined);
  const ended = await new Promise<StatusObject>((resolve) => call.on('status', resolve));
  assert.is(ended.code, status.DEADLINE_EXCEEDED);
  assert.match(ended.details, 'no hello came within 50 ms');
  assert.equal(server.refused, ['Push RELAY_E_TIMEOUT']);
  client.close();
});

test('T1: a token must belong to the cluster in the header, occur once, in one form, and never with a certificate', async () => {
  const evaluated: string[] = [];
  const admits = {
    identify: () => ({ cluster: 'c1' }),
    identifyToken: (token: string, cluster: string) => {
      evaluated.push(`${token}/${cluster}`);
      return token === 'good' && cluster === 'c1' ? { id: 'one' } : { refused: 'no' };
    },
  };
  const call = (clusters: readonly string[], bearers: readonly string[], certificate = false) => {
    const metadata = headers(...clusters);
    for (const bearer of bearers) metadata.add('authorization', bearer);
    const raw = certificate ? { sslPeerCertificate: { raw: Buffer.from('x') } } : {};
    return authorize('Push', { metadata, getAuthContext: () => raw }, admits).then(
      (caller) => caller?.cluster,
      (error: RelayError) => error.code,
    );
  };
  assert.is(await call(['c1'], ['Bearer good']), 'c1');
  for (const clusters of [[], [''], ['c1', 'c1'], ['c1', 'c2']])
    assert.is(await call(clusters, ['Bearer good']), 'RELAY_E_IDENTITY_MISMATCH', clusters.join());
  for (const cluster of ['c2', 'c', 'c1x', 'C1', 'c1,c1'])
    assert.is(await call([cluster], ['Bearer good']), 'RELAY_E_UNAUTHENTICATED', cluster);
  const before = evaluated.length;
  for (const bearer of [
    '',
    'good',
    'bearer good',
    'Bearer',
    'Bearer  good',
    'Bearer good x',
    `Bearer ${'x'.repeat(257)}`,
  ])
    assert.is(await call(['c1'], [bearer]), 'RELAY_E_UNAUTHENTICATED', bearer);
  assert.is(await call(['c1'], ['Bearer good', 'Bearer good']), 'RELAY_E_IDENTITY_MISMATCH');
  assert.is(await call(['c1'], ['Bearer good'], true), 'RELAY_E_IDENTITY_MISMATCH');
  assert.is(evaluated.length, before, 'no token of these calls was verified');
  assert.is(await call(['c1'], [], true), 'c1');
});

test.run();
