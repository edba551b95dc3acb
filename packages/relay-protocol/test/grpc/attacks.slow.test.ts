/** Known attacks with HTTP/2 frames and connections: the attacker is disconnected, agents keep their streams. */
import { Buffer } from 'node:buffer';
import { connect } from 'node:net';
import { assert, eventually, test } from '@meshrelay/testing';
import { type RelayClientState, runRelayClient } from '../../src/grpc/relay-client.ts';
import type { RelayServerOptions } from '../../src/grpc/relay-server.ts';
import { CLUSTER_HEADER, TOKEN_HEADER } from '../../src/grpc/service.ts';
import { envelope, keyOf } from '../link.ts';
import { Authority } from './authority.ts';
import { connection, TestAgent, TestServer } from './fixture.ts';
import { callHeaders, FRAME, frame, header, RawClient } from './raw-http2.ts';

const authority = await Authority.create();
const c1 = await authority.agent('c1');

/** A server with an agent whose stream must survive the attacks. */
async function besieged(
  attack: (server: TestServer, refused: readonly string[]) => Promise<void>,
  options: Partial<RelayServerOptions> = {},
): Promise<void> {
  const refused: string[] = [];
  await using server = await TestServer.start(authority, {
    onConnectionRefused: (reason) => refused.push(reason),
    ...options,
  });
  using link = connection(server, authority, 'c1', c1);
  const agent = new TestAgent('c1');
  const stream = link.push(agent.push());
  assert.ok(await stream.welcomed);
  let ended = false;
  void stream.closed.then(() => {
    ended = true;
  });
  await attack(server, refused);
  agent.table.upsert(envelope(keyOf(0, 'after'), 'x'));
  await eventually('the agent to be served as before', () => server.fixture('c1').objects.size === 1);
  assert.not.ok(ended);
  await eventually('only the agent to be left', () => server.relay.connections.connections === 1, {
    seen: () => server.relay.connections,
  });
}

const nothing = Buffer.alloc(0);

test('calls that are opened and reset at once', () =>
  besieged(async (server) => {
    const raw = (await RawClient.connect(server.relay.port)).begin();
    const reset = Buffer.from([0, 0, 0, 8]);
    await raw.flood(2000, (round) => [
      frame(FRAME.headers, 4, 2 * round + 1, callHeaders()),
      frame(FRAME.rst, 0, 2 * round + 1, reset),
    ]);
    await raw.closed;
  }));

test('headers without an end', () =>
  besieged(async (server) => {
    const raw = (await RawClient.connect(server.relay.port)).begin();
    raw.send(frame(FRAME.headers, 0, 1, callHeaders()));
    const more = header('x-more', 'y'.repeat(1000));
    await raw.flood(5000, () => [frame(FRAME.continuation, 0, 1, more)]);
    await raw.closed;
  }));

test('pings', () =>
  besieged(async (server, refused) => {
    const raw = (await RawClient.connect(server.relay.port)).begin();
    await raw.flood(5000, () => [frame(FRAME.ping, 0, 0, Buffer.alloc(8))]);
    await raw.closed;
    assert.ok(refused.includes('pings'), refused.join());
  }));

test('pings from an authenticated caller', () =>
  besieged(
    async (server, refused) => {
      const raw = (await RawClient.connect(server.relay.port)).begin();
      const [who, proof] = [header(CLUSTER_HEADER, 'c2'), header(TOKEN_HEADER, 'Bearer of-c2')];
      raw.send(frame(FRAME.headers, 4, 1, callHeaders(who, proof)));
      await eventually('him to be believed', () => server.relay.connections.unverified === 0);
      await raw.flood(Number.POSITIVE_INFINITY, () => [frame(FRAME.ping, 0, 0, Buffer.alloc(8))]);
      assert.ok(refused.includes('pings'), refused.join());
    },
    { identifyToken: () => ({ id: 'of c2' }) },
  ));

test('settings', () =>
  besieged(async (server, refused) => {
    const raw = (await RawClient.connect(server.relay.port)).begin();
    await raw.flood(5000, () => [frame(FRAME.settings, 0, 0, nothing)]);
    await raw.closed;
    assert.ok(refused.includes('settings'), refused.join());
  }));

test('more calls than an agent needs, without a credential', () =>
  besieged(async (server) => {
    const raw = (await RawClient.connect(server.relay.port)).begin();
    for (let at = 0; at < 200 && raw.open; at++) {
      raw.call(2 * at + 1);
      if (at % 10 === 0) await new Promise((resume) => setImmediate(resume));
    }
    await raw.closed;
  }));

test('headers larger than any valid call has', () =>
  besieged(async (server) => {
    const raw = (await RawClient.connect(server.relay.port)).begin();
    // The limit applies once the client has confirmed it.
    await eventually(
      'the settings of the server',
      () => raw.came.filter(({ type }) => type === FRAME.settings).length > 1,
    );
    raw.send(frame(FRAME.settings, 1, 0, nothing), frame(FRAME.settings, 1, 0, nothing));
    raw.send(
      frame(
        FRAME.headers,
        4,
        1,
        callHeaders(header('x-large', 'y'.repeat(15_000)), header('x-more', 'y'.repeat(1000))),
      ),
    );
    const isOver = (): boolean => !raw.open || raw.came.some(({ type, stream }) => type === FRAME.rst && stream === 1);
    await eventually('the call to be refused', isOver, { seen: () => raw.came.map(({ type }) => type) });
    raw.end();
  }));

test('connections that never start TLS, and TLS without HTTP/2', () =>
  besieged(
    async (server, refused) => {
      const mute = connect(server.relay.port, '127.0.0.1').on('error', () => undefined);
      const gone = new Promise((resolve) => mute.once('close', resolve));
      const silent = await RawClient.connect(server.relay.port);
      const slow = (await RawClient.connect(server.relay.port)).begin();
      await Promise.all([gone, silent.closed, slow.closed]);
      assert.equal([...new Set(refused)].sort(), ['handshake-timeout', 'proof-timeout']);
    },
    { connectionLimits: { handshake: 300, proof: 600 } },
  ));

test('too many connections without a credential do not keep an agent out for long', () =>
  besieged(
    async (server, refused) => {
      const sockets = Array.from({ length: 60 }, () =>
        connect(server.relay.port, '127.0.0.1').on('error', () => undefined),
      );
      await eventually('some to be refused', () => refused.includes('unverified'));
      assert.ok(server.relay.connections.unverified <= 10);
      const stop = new AbortController();
      const states: RelayClientState[] = [];
      const agent = new TestAgent('c2');
      const c2 = await authority.agent('c2');
      const running = runRelayClient({
        connection: () => ({
          address: server.address,
          authority: 'relay.test',
          roots: authority.rootsPem,
          cluster: 'c2',
          clientCertificate: c2,
        }),
        push: () => agent.push(),
        pull: () => agent.pull(),
        signal: stop.signal,
        onState: (state) => states.push(state),
      });
      await eventually('another agent to get in', () => states.some(({ state }) => state === 'connected'));
      stop.abort();
      await running;
      for (const socket of sockets) socket.destroy();
    },
    // grpc-js may still complete connections that were abandoned meanwhile; no calls use them.
    { connectionLimits: { unverified: 10, proof: 3000 } },
  ));

test('an invalid message body ends only its own stream', async () => {
  await using server = await TestServer.start(authority);
  using link = connection(server, authority, 'c1', c1);
  const agent = new TestAgent('c1');
  const [push, pull] = [link.push(agent.push()), link.pull(agent.pull())];
  await Promise.all([push.welcomed, pull.welcomed]);
  using other = connection(server, authority, 'c2', await authority.agent('c2'));
  const liar = new TestAgent('c2').push();
  const next = liar.next.bind(liar);
  let said = 0;
  liar.next = () =>
    said++ === 1
      ? ({ type: 'contentRequest', kind: {}, round: 0, ask: { digest: new Uint8Array(3) } } as never)
      : next();
  const bad = other.push(liar);
  assert.is((await bad.closed)?.code, 'RELAY_E_PROTOCOL');
  assert.equal(server.refused, ['Push RELAY_E_PROTOCOL']);
  assert.is(server.relay.sessions().filter(({ cluster }) => cluster === 'c1').length, 2);
});

test.run();
