/**
 * Threats T10 and T11: under any load on the port for proxies, the replica keeps its Lease, the relay's deltas arrive,
 * and all received entries are accounted for.
 * The agent is a separate process with its own event loop. The test has no measurement that other load on the machine
 * could distort.
 */
import { Buffer } from 'node:buffer';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { accessLogService as als, create, toBinary } from '@meshrelay/envoy-api';
import { accessLogService } from '@meshrelay/envoy-api/services';
import { NAMESPACE, output, TestCluster } from '@meshrelay/test-cluster';
import { assert, eventually, test } from '@meshrelay/testing';
import { callHeaders, frame, PREFACE, pour, TYPE } from '@meshrelay/testing/load';
import { register } from '../harness/agents.ts';
import { agentFields, flags } from '../harness/fields.ts';
import { AgentProcess } from '../harness/process.ts';
import { TestAuthority, TestRelay } from '../harness/relay.ts';

const WITHIN = { deadline: 120_000 };
const { path } = accessLogService.streamAccessLogs;
const authority = await TestAuthority.create();

/** A leading agent with production timing. */
async function leading() {
  const stack = new AsyncDisposableStack();
  const cluster = stack.use(await TestCluster.start());
  const relay = stack.use(await TestRelay.start(authority));
  register(cluster, relay, authority);
  relay.commit({ upserts: [output('VirtualService', 'before')] });
  const agent = stack.use(new AgentProcess(flags({ replica: 'agent-0', ...agentFields(cluster.kubeconfig, relay) })));
  const seen = () => agent.log.slice(-5);
  await eventually('it leads', () => cluster.get('VirtualService', 'before'), { ...WITHIN, seen });
  const started = agent.log.find((line) => line.includes('"agent started"')) ?? '{}';
  const { statsPort, dataPlanePort } = JSON.parse(started) as { statsPort: number; dataPlanePort: number };
  let edits = 0;
  return {
    cluster,
    agent,
    port: dataPlanePort,
    /** Several outputs of the server arrive in the cluster. */
    async relayWorks(): Promise<void> {
      for (let edit = 0; edit < 3; edit++) {
        const name = `during-${edits++}`;
        relay.commit({ upserts: [output('VirtualService', name)] });
        await eventually(`${name} is applied`, () => cluster.get('VirtualService', name), { ...WITHIN, seen });
      }
    },
    /** Counters by their labels. */
    async counters(name: string): Promise<Record<string, number>> {
      const response = await fetch(`http://127.0.0.1:${statsPort}/metrics`);
      const found = (await response.text()).matchAll(new RegExp(`^meshrelay_${name}{(.*)} (\\d+)$`, 'gm'));
      return Object.fromEntries([...found].map(([, labels = '', value]) => [labels, Number(value)]));
    },
    lease: () => {
      const name = {
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        namespace: NAMESPACE,
        name: 'meshrelay-agent',
      };
      return cluster.sim.objects.get(name)?.['spec'] as { holderIdentity: string; renewTime: string };
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** Its previous holder renews the Lease meanwhile, in the same term. */
async function keepsItsLease(of: Awaited<ReturnType<typeof leading>>, during: () => Promise<void>): Promise<void> {
  const before = of.lease();
  await during();
  await eventually('the Lease is renewed', () => of.lease().renewTime !== before.renewTime, WITHIN);
  assert.is(of.lease().holderIdentity, before.holderIdentity);
  assert.is(of.cluster.ledger()?.term, 1);
}

function message(init: Parameters<typeof create<typeof als.StreamAccessLogsMessageSchema>>[1]): Buffer {
  const schema = als.StreamAccessLogsMessageSchema;
  return Buffer.from(toBinary(schema, create(schema, init)));
}

const entry = (at: number) => ({
  commonProperties: { upstreamCluster: 'inbound|9080||', streamId: `${at}`.padEnd(36, 'x') },
  request: { path: `/reviews/${at % 50}`, authority: 'reviews', userAgent: 'x'.repeat(200) },
  response: { responseCode: 200 },
});

test('T10: a flood of access logs delays neither the relay nor the Lease; every entry is retained or dropped with a count', async () => {
  await using agent = await leading();
  const stop = new AbortController();
  const each = 20;
  const logEntry = Array.from({ length: each }, (_, at) => entry(at));
  const flood = pour({
    port: agent.port,
    path,
    connections: 10,
    streams: 5,
    first: message({ identifier: { node: { id: 'flood' }, logName: 'inbound' } }),
    messages: [message({ logEntries: { case: 'httpLogs', value: { logEntry } } })],
    count: Number.POSITIVE_INFINITY,
    until: stop.signal,
  });
  const accounted = async (): Promise<number> =>
    Object.values(await agent.counters('access_log_entries_total')).reduce((sum, one) => sum + one, 0);
  await keepsItsLease(agent, async () => {
    await eventually('the flood is on', async () => (await accounted()) > 50_000, WITHIN);
    await agent.relayWorks();
  });
  stop.abort();
  const sent = (await flood) * each;
  assert.is(await accounted(), sent, 'kept, filtered and dropped are all that was sent');
});

/**
 * Attacks on an HTTP/2 server that no proxy would send. Each writes as long as the socket accepts data, and resolves
 * with the socket when it has sent everything.
 */
const ATTACKS: Readonly<Record<string, (socket: Socket) => void>> = {
  'rapid reset': (socket) => {
    const cancel = Buffer.alloc(4);
    cancel.writeUInt32BE(8);
    for (let id = 1; id < 20_000; id += 2)
      socket.write(Buffer.concat([callHeaders(path, id), frame(TYPE.reset, 0, id, cancel)]));
  },
  'headers without end': (socket) => {
    socket.write(frame(TYPE.headers, 0, 1, Buffer.from([0x83, 0x86])));
    for (let at = 0; at < 2_000; at++) socket.write(frame(CONTINUATION, 0, 1, Buffer.alloc(1_000, 0x83)));
  },
  'settings and pings': (socket) => {
    const both = Buffer.concat([frame(TYPE.settings, 0, 0), frame(TYPE.ping, 0, 0, Buffer.alloc(8))]);
    for (let at = 0; at < 20_000; at++) socket.write(both);
  },
  'data a byte at a time': (socket) => {
    socket.write(callHeaders(path, 1));
    for (let at = 0; at < 20_000; at++) socket.write(frame(TYPE.data, 0, 1, Buffer.from([0])));
  },
  'a message of 4 GiB announced': (socket) => {
    socket.write(callHeaders(path, 1));
    socket.write(frame(TYPE.data, 0, 1, Buffer.from([0, 255, 255, 255, 255, 1, 2, 3])));
  },
  'streams that say nothing': (socket) => {
    for (let id = 1; id < 2_000; id += 2) socket.write(callHeaders(path, id));
  },
};
const CONTINUATION = 9;

test('T11: an HTTP/2 attack ends at most its own connection', async () => {
  await using agent = await leading();
  const sockets: Socket[] = [];
  const stop = new AbortController();
  // From another address than the attacks: a normal proxy.
  const proxy = pour({
    port: agent.port,
    path,
    connections: 1,
    streams: 1,
    first: message({ identifier: { node: { id: 'proxy' }, logName: 'inbound' } }),
    messages: [message({ logEntries: { case: 'httpLogs', value: { logEntry: [entry(1)] } } })],
    count: Number.POSITIVE_INFINITY,
    perSecond: 50,
    until: stop.signal,
  });
  await keepsItsLease(agent, async () => {
    for (const attack of Object.values(ATTACKS)) {
      for (let times = 0; times < 3; times++) {
        const socket = connect({ port: agent.port, host: '127.0.0.1', localAddress: '127.0.0.2' });
        sockets.push(socket.on('error', () => {}).resume());
        await once(socket, 'connect');
        socket.write(Buffer.concat([PREFACE, frame(TYPE.settings, 0, 0)]));
        attack(socket);
      }
    }
    // More connections than the limit per address, all of them silent.
    for (let at = 0; at < 100; at++) {
      const silent = connect({ port: agent.port, host: '127.0.0.1', localAddress: '127.0.0.2' });
      sockets.push(silent.on('error', () => {}).resume());
    }
    await agent.relayWorks();
    // The agent may accept the last of them only after the call above, on a busy machine.
    await eventually('the agent refuses connections of one address', async () => {
      const refused = await agent.counters('data_plane_refused_total');
      return (refused['reason="source"'] ?? 0) > 0;
    });
  });
  stop.abort();
  const sent = await proxy;
  for (const socket of sockets) socket.destroy();
  assert.ok(sent > 0);
  const { 'result="retained"': retained } = await agent.counters('access_log_entries_total');
  assert.is(retained, sent, 'the proxy lost nothing');
});

test.run();
