/** Connections that die unnoticed, are replaced, or do not read: no hang, no leak, and the newest one serves. */
import { connect as connectTcp } from 'node:net';
import { BLACKHOLE, FaultProxy } from '@meshrelay/fault-proxy';
import { assert, eventually, test } from '@meshrelay/testing';
import { RelayError } from '../../src/errors.ts';
import type { PushMachine } from '../../src/grpc/relay-server.ts';
import { envelope, keyOf } from '../link.ts';
import { Authority } from './authority.ts';
import { connection, TestAgent, TestServer } from './fixture.ts';

const authority = await Authority.create();
const c1 = await authority.agent('c1');
const HOUR = 3_600_000;

test('a machine that rejects the hello is ended, and its stream rejected', async () => {
  const ends: Array<RelayError | undefined> = [];
  const machine: PushMachine = {
    answered: 0,
    receive: () => {
      throw new RelayError('RELAY_E_IDENTITY_MISMATCH', 'not this one');
    },
    next: () => undefined,
    drive: () => undefined,
    end: (reason) => void ends.push(reason),
  };
  await using server = await TestServer.start(authority, { onPush: () => machine });
  using link = connection(server, authority, 'c1', c1);
  const reason = await link.push(new TestAgent('c1').push()).closed;
  assert.is(reason?.code, 'RELAY_E_IDENTITY_MISMATCH');
  assert.equal(
    ends.map((end) => end?.code),
    ['RELAY_E_IDENTITY_MISMATCH'],
  );
  await eventually('no stream to be left', () => server.relay.sessions().length === 0);
});

test('the newest connection replaces all streams of the older one', async () => {
  await using server = await TestServer.start(authority);
  using older = connection(server, authority, 'c1', c1);
  const agent = new TestAgent('c1', 3);
  const [push, pull] = [older.push(agent.push()), older.pull(agent.pull())];
  await Promise.all([push.welcomed, pull.welcomed]);
  using newer = connection(server, authority, 'c1', c1);
  const next = newer.push(new TestAgent('c1', 3).push());
  assert.is((await push.closed)?.code, 'RELAY_E_SUPERSEDED');
  assert.is((await pull.closed)?.code, 'RELAY_E_SUPERSEDED');
  assert.ok(await next.welcomed);
  assert.is(server.relay.sessions().length, 1);
});

test('two agents that replace each other thirty times leave one stream, without interleaving', async () => {
  await using server = await TestServer.start(authority);
  const agents = [new TestAgent('c1', 1), new TestAgent('c1', 1)];
  for (let round = 0; round < 30; round++) {
    const link = connection(server, authority, 'c1', c1);
    const stream = link.push((agents[round % 2] as TestAgent).push());
    await stream.welcomed;
    if (round < 29 && round % 3 === 0) link.close();
    void stream.closed.then(() => link.close());
  }
  await eventually('one stream to be left', () => server.relay.sessions().length === 1);
  await eventually('one connection to be left', () => server.relay.connections.connections === 1, {
    seen: () => server.relay.connections,
  });
});

test('both ends detect a dead connection by pings alone', async () => {
  const [keepalive, heartbeats] = [
    { every: 100, timeoutMs: 50 },
    { every: HOUR, idleTimeoutMs: HOUR, openWithin: HOUR, staleAfter: HOUR },
  ];
  await using server = await TestServer.start(authority, { keepalive, heartbeats, connectionLimits: { window: 50 } });
  await using proxy = await FaultProxy.start(() => ({ port: server.relay.port }));
  using link = connection(server, authority, 'c1', c1, {
    address: `127.0.0.1:${proxy.port}`,
    keepalive,
    heartbeats,
  });
  const stream = link.push(new TestAgent('c1').push());
  await stream.welcomed;
  proxy.setFaults(BLACKHOLE);
  assert.is((await stream.closed)?.code, 'RELAY_E_UNAVAILABLE');
  await eventually('the server to give the stream up', () => server.relay.sessions().length === 0);
  await eventually('and the connection', () => server.relay.connections.connections === 0);
});

test('an agent that does not read is disconnected at the end of its stream and does not delay the server', async () => {
  const heartbeats = { every: HOUR, idleTimeoutMs: HOUR, openWithin: HOUR, staleAfter: HOUR };
  await using server = await TestServer.start(authority, { heartbeats });
  await using proxy = await FaultProxy.start(() => ({ port: server.relay.port }));
  const objects = Array.from({ length: 40 }, (_, at) => envelope(keyOf(0, `o${at}`), 'x', 900_000));
  server.outputs.commit({ vector: new Map([['c', { term: 1, seq: 1 }]]), upserts: objects, complete: true });
  using link = connection(server, authority, 'c1', c1, { address: `127.0.0.1:${proxy.port}`, heartbeats });
  const agent = new TestAgent('c1');
  const stuck = link.pull(agent.pull());
  await eventually('something to arrive', () => agent.fixture.objects.size > 0);
  proxy.setFaults({ toClient: { silent: true } });
  server.outputs.commit({
    vector: new Map([['c', { term: 1, seq: 2 }]]),
    upserts: objects.map(({ name }) => envelope(keyOf(0, name), 'y', 900_000)),
    complete: true,
  });
  using newer = connection(server, authority, 'c1', c1);
  const next = newer.pull(new TestAgent('c1').pull());
  assert.ok(await next.welcomed);
  await eventually('only the newer to be there', () => server.relay.sessions().length === 1);
  newer.close();
  link.close();
  await Promise.all([next.closed, stuck.closed]);
});

test('closing under load ends all streams of both ends', async () => {
  // If TCP does not report the end, the next ping detects it.
  const keepalive = { every: 1000, timeoutMs: 3000 };
  for (const first of ['agents', 'server', 'server']) {
    const server = await TestServer.start(authority);
    const clusters = ['c1', 'c2', 'c3', 'c4'];
    const agents = clusters.map((cluster) => {
      const agent = new TestAgent(cluster);
      for (let at = 0; at < 40; at++) agent.table.upsert(envelope(keyOf(at, `n${at}`), 'x', 50_000));
      return agent;
    });
    const links = await Promise.all(
      clusters.map(async (cluster) =>
        connection(server, authority, cluster, await authority.agent(cluster), { keepalive }),
      ),
    );
    const streams = links.flatMap((link, at) => {
      const agent = agents[at] as TestAgent;
      return [link.push(agent.push()), link.pull(agent.pull())];
    });
    server.outputs.commit({
      vector: new Map([['c', { term: 1, seq: 1 }]]),
      upserts: Array.from({ length: 40 }, (_, at) => envelope(keyOf(at, `o${at}`), 'x', 50_000)),
      complete: true,
    });
    await eventually('all to be under way', () => agents.every(({ fixture }) => fixture.objects.size > 0));
    if (first === 'agents') for (const link of links) link.close();
    await server.relay.close(300);
    await Promise.all(streams.map(({ closed }) => closed));
    for (const link of links) link.close();
    assert.equal(server.relay.sessions(), []);
    await eventually('no connection to be left', () => server.relay.connections.connections === 0);
  }
});

test('a closing server disconnects connections that never sent anything', async () => {
  const server = await TestServer.start(authority);
  const mute = connectTcp(server.relay.port, '127.0.0.1').on('error', () => undefined);
  await eventually('it to be taken', () => server.relay.connections.connections === 1);
  const gone = new Promise((resolve) => mute.once('close', resolve));
  await server.relay.close(50);
  await gone;
  await eventually('it to be forgotten', () => server.relay.connections.connections === 0);
});

test.run();
