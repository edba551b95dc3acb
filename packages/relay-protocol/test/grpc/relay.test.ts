/** The whole relay over real TLS on loopback: register, push, pull, flow control, close. */
import { connect } from 'node:net';
import { createCsr, generateKey, writePrivateKey } from '@meshrelay/pki';
import { assert, eventually, test } from '@meshrelay/testing';
import type { RelayError } from '../../src/errors.ts';
import { runRelayClient } from '../../src/grpc/relay-client.ts';
import { contentOf } from '../fixture.ts';
import { envelope, keyOf } from '../link.ts';
import { Authority } from './authority.ts';
import { connection, TestAgent, TestServer, TOKEN } from './fixture.ts';

const authority = await Authority.create();
const c1 = await authority.agent('c1');
const vector = (seq: number) => new Map([['c1', { term: 1, seq }]]);

function fill(agent: TestAgent, count: number, bytes = 0): void {
  for (let at = 0; at < count; at++) agent.table.upsert(envelope(keyOf(at, `n${at}`), 'x', bytes));
}

test('a token is exchanged for a certificate, which opens both streams', async () => {
  await using server = await TestServer.start(authority);
  const key = await generateKey('agent');
  const csrPem = await createCsr({ key });
  using first = connection(server, authority, 'c1');
  const { certificatePem, rootsPem } = await first.register({ token: TOKEN, csrPem, program: 'test' });
  assert.is(rootsPem, authority.rootsPem);
  const agent = new TestAgent('c1');
  fill(agent, 20);
  const clientCertificate = { key: writePrivateKey(key), certificate: certificatePem };
  using second = connection(server, authority, 'c1', clientCertificate);
  second.push(agent.push());
  second.pull(agent.pull());
  server.outputs.commit({ vector: vector(1), upserts: [envelope(keyOf(0, 'out'), '1')], complete: true });
  await eventually('the server to have what the agent has', () => server.fixture('c1').objects.size === 20);
  assert.equal(server.fixture('c1').content(), contentOf(agent.table));
  await eventually('the agent to have all that is desired', () => agent.complete && agent.fixture.objects.size === 1);
  agent.table.delete(keyOf(0, 'n0'));
  server.outputs.commit({ vector: vector(2), deletes: [keyOf(0, 'out')], complete: true });
  await eventually('a delete to arrive', () => server.fixture('c1').objects.size === 19);
  await eventually('an output to go', () => agent.fixture.objects.size === 0);
});

test('a wrong token is rejected with a reason in both logs, and no log or answer contains a token', async () => {
  await using server = await TestServer.start(authority);
  const csrPem = await createCsr({ key: await generateKey('agent') });
  using agent = connection(server, authority, 'c1');
  const wrong = 'token-9999-also-secret';
  const error = await agent.register({ token: wrong, csrPem, program: 'test' }).then(
    () => undefined,
    (thrown: RelayError) => thrown,
  );
  assert.is(error?.code, 'RELAY_E_UNAUTHENTICATED');
  assert.match(error?.message ?? '', 'no token for cluster c1 matches');
  await agent.register({ token: TOKEN, csrPem, program: 'test' });
  const all = server.log.lines.join('\n');
  assert.match(all, 'no token for cluster c1 matches');
  for (const secret of [wrong, TOKEN]) assert.not.match(all + error?.message, secret);
});

test('no token is sent to a server with an untrusted root or another name', async () => {
  const impostor = await Authority.create('impostor');
  let requested = 0;
  await using server = await TestServer.start(impostor, {
    register: async () => {
      requested++;
      return { certificatePem: '', rootsPem: '' };
    },
  });
  const request = { token: TOKEN, csrPem: 'x', program: '' };
  using unknown = connection(server, authority, 'c1');
  using misnamed = connection(server, impostor, 'c1', undefined, { authority: 'other.test' });
  for (const { link, why } of [
    { link: unknown, why: "the server's certificate is not trusted here" },
    { link: misnamed, why: 'cannot connect: Hostname/IP does not match' },
  ]) {
    const error = await link.register(request).then(
      () => undefined,
      (thrown: RelayError) => thrown,
    );
    assert.is(error?.code, 'RELAY_E_UNAVAILABLE');
    assert.match(error?.message ?? '', why);
    assert.not.match(error?.message ?? '', TOKEN);
  }
  assert.is(requested, 0);
  await eventually('both in the log of the server', () => {
    const silent = server.log.lines.filter((line) => line.includes('connection ended without a request'));
    return silent.length >= 2 && silent.every((line) => line.includes('another root CA'));
  });
});

test('connections that end without data are not logged as warnings', async () => {
  await using server = await TestServer.start(authority);
  connect(server.relay.port, '127.0.0.1').end();
  await eventually('the probe in the log', () =>
    server.log.lines.some((line) => line.includes('connection ended without data')),
  );
  assert.not.match(server.log.lines.join('\n'), '"warn"');
});

test('a registration with different clusters in header and body is rejected', async () => {
  await using server = await TestServer.start(authority);
  const csrPem = await createCsr({ key: await generateKey('agent') });
  using agent = connection(server, authority, 'c1');
  const request = { cluster: 'c2', token: TOKEN, csrPem, program: '' };
  // The connection's `cluster` overrides one that a caller adds.
  const { certificatePem } = await agent.register(request);
  assert.match(certificatePem, 'CERTIFICATE');
  assert.not.match(server.log.lines.join('\n'), 'c2');
});

test('objects larger than a message pass tiny windows, complete and in order', async () => {
  const limits = { messageBytes: 16 * 1024, windowDeltas: 1, windowBytes: 1024 };
  await using server = await TestServer.start(authority, { limits });
  const agent = new TestAgent('c1');
  agent.limits = limits;
  fill(agent, 60, 40_000);
  server.outputs.commit({
    vector: vector(1),
    upserts: Array.from({ length: 60 }, (_, at) => envelope(keyOf(at, `o${at}`), 'x', 30_000)),
    complete: true,
  });
  using link = connection(server, authority, 'c1', c1, { limits });
  const [push, pull] = [link.push(agent.push()), link.pull(agent.pull())];
  await eventually(
    'everything to arrive in both directions',
    () => server.fixture('c1').objects.size === 60 && agent.complete,
    {
      seen: () => [server.fixture('c1').objects.size, agent.fixture.objects.size, server.log.lines.slice(-2)],
    },
  );
  assert.equal(server.fixture('c1').content(), contentOf(agent.table));
  assert.equal(agent.fixture.content(), contentOf(server.outputs.table));
  link.close();
  await Promise.all([push.closed, pull.closed]);
});

test('a slow receiver affects neither the other stream nor the sender’s memory', async () => {
  const releases: Array<() => void> = [];
  const base = await Authority.create('other');
  await using server = await TestServer.start(base, { limits: { windowDeltas: 2 } });
  const accept = server.fixture('c1');
  const taken: string[] = [];
  const take = accept.take.bind(accept);
  accept.take = ((batch: Parameters<typeof take>[0]) => {
    taken.push(...batch.upserts.map(({ name }) => name));
    return new Promise((resolve) => releases.push(() => resolve(take(batch))));
  }) as unknown as typeof take;
  const agent = new TestAgent('c1');
  agent.table.upsert(envelope(keyOf(0, 'first'), 'x'));
  using link = connection(server, base, 'c1', await base.agent('c1'));
  const sender = agent.push();
  link.push(sender);
  link.pull(agent.pull());
  await eventually('the sink to be busy', () => releases.length > 0);
  for (let at = 0; at < 500; at++) agent.table.upsert(envelope(keyOf(0, `n${at % 10}`), String(at)));
  server.outputs.commit({ vector: vector(1), upserts: [envelope(keyOf(0, 'out'), '1')], complete: true });
  await eventually('the pull stream to continue', () => agent.complete);
  assert.ok(sender.depth <= 11, `${sender.depth} entries wait`);
  await eventually('everything to be taken in the end', () => {
    for (const release of releases.splice(0)) release();
    return server.fixture('c1').objects.size === 11;
  });
  assert.equal(server.fixture('c1').content(), contentOf(agent.table));
});

test('a newer stream of the same cluster replaces the older; an older term does not', async () => {
  await using server = await TestServer.start(authority);
  using link = connection(server, authority, 'c1', c1);
  const old = link.push(new TestAgent('c1', 3).push());
  await old.welcomed;
  using other = connection(server, authority, 'c1', c1);
  const newer = other.push(new TestAgent('c1', 4).push());
  assert.is((await old.closed)?.code, 'RELAY_E_SUPERSEDED');
  await newer.welcomed;
  using stale = connection(server, authority, 'c1', c1);
  const refused = stale.push(new TestAgent('c1', 3).push());
  assert.is((await refused.closed)?.code, 'RELAY_E_FENCED');
  assert.is(server.relay.sessions().length, 1);
});

test('either side closes a silent peer', async () => {
  const heartbeats = { every: 20, idleTimeoutMs: 20, openWithin: 60_000, staleAfter: 60 };
  await using server = await TestServer.start(authority, { heartbeats });
  using link = connection(server, authority, 'c1', c1, {
    heartbeats: { every: 60_000, idleTimeoutMs: 60_000, openWithin: 60_000, staleAfter: 60_000 },
  });
  const silent = link.push(new TestAgent('c1').push());
  assert.is((await silent.closed)?.code, 'RELAY_E_TIMEOUT');
  await using mute = await TestServer.start(authority, {
    heartbeats: { every: 60_000, idleTimeoutMs: 60_000, openWithin: 60_000, staleAfter: 60_000 },
  });
  using impatient = connection(mute, authority, 'c1', c1, { heartbeats });
  const reason = await impatient.push(new TestAgent('c1').push()).closed;
  assert.is(reason?.code, 'RELAY_E_TIMEOUT');
});

test('heartbeats keep an idle stream open', async () => {
  const heartbeats = { every: 20, idleTimeoutMs: 20, openWithin: 60_000, staleAfter: 900 };
  await using server = await TestServer.start(authority, { heartbeats });
  using link = connection(server, authority, 'c1', c1, { heartbeats });
  const sender = new TestAgent('c1').push();
  const receive = sender.receive.bind(sender);
  let beats = 0;
  sender.receive = (message) => {
    if (message.type === 'heartbeat') beats++;
    receive(message);
  };
  let over = false;
  void link.push(sender).closed.then(() => {
    over = true;
  });
  await eventually('heartbeats for three times the timeout', () => beats >= 135 || over, { seen: () => beats });
  assert.not.ok(over);
});

test('the client loop reconnects after rejections and restarts, and sends only differences', async () => {
  const agent = new TestAgent('c1');
  fill(agent, 50);
  const first = await TestServer.start(authority);
  let address = first.address;
  const states: string[] = [];
  const stop = new AbortController();
  const loop = runRelayClient({
    connection: () => ({
      address,
      authority: 'relay.test',
      roots: authority.rootsPem,
      cluster: 'c1',
      clientCertificate: c1,
    }),
    push: () => agent.push(),
    pull: () => agent.pull(),
    signal: stop.signal,
    onState: ({ state }) => states.push(state),
    backoff: { first: 5, max: 20 },
  });
  await eventually('the first server to have everything', () => first.fixture('c1').objects.size === 50);
  await eventually('the loop to know that it is connected', () => states.includes('connected'));
  const second = await TestServer.start(authority);
  second.fleets.set('c1', first.fixture('c1'));
  const contentIndex = first.contentIndex.get('c1');
  if (contentIndex !== undefined) second.contentIndex.set('c1', contentIndex);
  const sent = first.fixture('c1').upserted;
  address = second.address;
  await first.relay.close();
  agent.table.upsert(envelope(keyOf(0, 'late'), 'x'));
  await eventually('the second server to have the news', () => second.fixture('c1').objects.size === 51);
  assert.is(second.fixture('c1').upserted, sent + 1);
  stop.abort();
  await loop;
  await second.relay.close();
  assert.ok(states.includes('waiting'));
});

test('a replaced connection is closed when the next one is ready, and not if that cannot be opened', async () => {
  const agent = new TestAgent('c1');
  fill(agent, 20);
  await using server = await TestServer.start(authority);
  let replaced = new AbortController();
  let address = server.address;
  const states: string[] = [];
  const stop = new AbortController();
  const loop = runRelayClient({
    connection: () => ({
      address,
      authority: 'relay.test',
      roots: authority.rootsPem,
      cluster: 'c1',
      clientCertificate: c1,
      replaced: replaced.signal,
    }),
    push: () => agent.push(),
    pull: () => agent.pull(),
    signal: stop.signal,
    onState: ({ state }) => states.push(state),
  });
  await eventually('everything is there', () => server.fixture('c1').objects.size === 20);
  const sent = server.fixture('c1').upserted;
  const opened = (): number => server.log.lines.filter((line) => line.includes('relay stream opened')).length;
  for (let round = 2; round <= 4; round += 1) {
    const before = replaced;
    replaced = new AbortController();
    before.abort();
    await eventually('it is replaced', () => opened() === 2 * round);
  }
  agent.table.upsert(envelope(keyOf(0, 'late'), 'x'));
  await eventually('the news', () => server.fixture('c1').objects.size === 21);
  assert.is(server.fixture('c1').upserted, sent + 1, 'nothing else was sent again');
  assert.not(states.includes('waiting'));

  address = '127.0.0.1:1';
  replaced.abort();
  agent.table.upsert(envelope(keyOf(0, 'later'), 'x'));
  await eventually('the old one continues', () => server.fixture('c1').objects.size === 22);
  assert.is(opened(), 8);
  stop.abort();
  await loop;
  assert.not(states.includes('waiting'));
});

test('a stopping server notifies its agents, rejects new streams, and ends in time', async () => {
  const server = await TestServer.start(authority);
  using link = connection(server, authority, 'c1', c1);
  const stream = link.push(new TestAgent('c1').push());
  await stream.welcomed;
  const closing = server.relay.close(200);
  const reason = await stream.closed;
  assert.is(reason?.code, 'RELAY_E_DRAINING');
  assert.is(reason?.retry, 'now');
  await closing;
  await server.relay.close();
});

test('a host that rejects or fails ends that stream only', async () => {
  await using server = await TestServer.start(authority, {
    onPull: () => {
      throw new Error('the store is not there: secret detail');
    },
  });
  using link = connection(server, authority, 'c1', c1);
  const [push, pull] = [link.push(new TestAgent('c1').push()), link.pull(new TestAgent('c1').pull())];
  const reason = await pull.closed;
  assert.is(reason?.code, 'RELAY_E_INTERNAL');
  assert.not.match(reason?.message ?? '', 'secret detail');
  assert.ok(await push.welcomed);
});

test('a server certificate replaced while serving is used for the next connection', async () => {
  const other = await Authority.create('second root');
  await using server = await TestServer.start(authority);
  using before = connection(server, authority, 'c1', c1);
  const stays = before.push(new TestAgent('c1').push());
  assert.ok(await stays.welcomed);
  server.relay.replaceTls({ ...other.server, clientRoots: authority.rootsPem });
  using after = connection(server, other, 'c1', c1);
  assert.ok(await after.pull(new TestAgent('c1').pull()).welcomed);
  using mistrusting = connection(server, authority, 'c1', c1);
  const refused = await mistrusting.pull(new TestAgent('c1').pull()).closed;
  assert.is(refused?.code, 'RELAY_E_UNAVAILABLE');
});

test.run();
