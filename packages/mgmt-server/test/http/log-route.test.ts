/** Logs by the HTTP API: searches, streams, unreachable clusters, slow readers. */

import { Semaphore } from '@meshrelay/concurrency';
import type { LogBatch, LogTail } from '@meshrelay/relay-protocol';
import { silentLogger } from '@meshrelay/telemetry';
import { assert, eventually, test } from '@meshrelay/testing';
import { Hono } from 'hono';
import { addLogRoute } from '../../src/http/log-route.ts';
import type { AgentLookupContext } from '../../src/observe/lookup-agent.ts';
import { Connections } from '../../src/relay/connections.ts';
import { kubernetesCluster } from '../support/discovered.ts';
import { declare, newFleet } from '../support/fleet.ts';
import { batches, type LogAnswers, LoggingAgents, logged } from '../support/logging-agents.ts';

const fleet = newFleet();
const direct = { ...kubernetesCluster('direct'), spec: { secretName: 'kubeconfig' } };
await declare(fleet, kubernetesCluster('c1'), kubernetesCluster('c2'), direct as never);

class FleetState {
  readonly agents = new LoggingAgents();
  readonly connections = new Connections();
  readonly app = new Hono();
  readonly streams = new Semaphore(Number.POSITIVE_INFINITY);

  constructor({ streamMs }: { readonly streamMs?: number } = {}) {
    const context: AgentLookupContext = { fleet, connections: this.connections, agents: this.agents.callers };
    addLogRoute(this.app, { context, streamMs, streams: this.streams, logger: silentLogger });
  }

  async connect(cluster: string, answers: LogAnswers, capabilities?: readonly string[]): Promise<() => void> {
    const end = this.agents.connect(cluster, answers, capabilities);
    // A new connection starts with its hello.
    await new Promise((resume) => setImmediate(resume));
    return end;
  }

  async get(query: string): Promise<{ readonly status: number; readonly body: Record<string, never> }> {
    const response = await this.app.request(`/api/v1/logs?${query}`);
    return { status: response.status, body: (await response.json()) as Record<string, never> };
  }
}

/** A stream of events under test. */
class Events implements AsyncDisposable {
  readonly seen: { readonly event: string; readonly data: Record<string, unknown> }[] = [];
  readonly status: number;
  readonly #reader: ReadableStreamDefaultReader<string> | undefined;
  /** Keeps the process alive; the server's timers do not. */
  readonly #alive = setInterval(() => undefined, 1_000);
  #rest = '';

  private constructor(response: Response) {
    this.status = response.status;
    this.#reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  }

  static async open(fleetState: FleetState, query: string): Promise<Events> {
    return new Events(await fleetState.app.request(`/api/v1/logs?follow&${query}`));
  }

  /** Reads until the probe succeeds. */
  async until(probe: (events: this) => boolean): Promise<void> {
    while (!probe(this)) {
      const { value, done } = (await this.#reader?.read()) ?? { value: undefined, done: true };
      if (done || value === undefined) throw new Error(`the stream ended; seen: ${JSON.stringify(this.seen)}`);
      const blocks = `${this.#rest}${value}`.split('\n\n');
      this.#rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const [, event = ''] = /^event: (.+)$/m.exec(block) ?? [];
        const [, data = '{}'] = /^data: (.+)$/m.exec(block) ?? [];
        this.seen.push({ event, data: JSON.parse(data) as Record<string, unknown> });
      }
    }
  }

  get paths(): unknown[] {
    return this.seen
      .flatMap(({ data }) => (data['entries'] as { path: string }[] | undefined) ?? [])
      .map(({ path }) => path);
  }

  get problems(): unknown[] {
    return this.seen.flatMap(({ data }) => (data['problem'] === undefined ? [] : [data['problem']]));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#alive);
    await this.#reader?.cancel();
  }
}

const pathsOf = (entries: unknown): unknown[] => (entries as { path: string }[]).map(({ path }) => path);

test('a search returns the newest entries of all clusters, and the state of each cluster', async () => {
  const fleetState = new FleetState();
  const requested: unknown[] = [];
  await fleetState.connect('c1', {
    search: (given) => {
      requested.push(given);
      return batches<LogBatch>(
        { entries: [logged('/1', 1), logged('/4', 4)] },
        { entries: [], replicas: [{ replica: 'a' }, { replica: 'b', problem: 'it does not answer' }], more: true },
      );
    },
  });
  await fleetState.connect('c2', {
    search: () =>
      batches<LogBatch>(
        { entries: [logged('/2', 2), logged('/3', 3)], lost: 1 },
        { entries: [], replicas: [{ replica: 'x' }] },
      ),
  });
  const { status, body } = await fleetState.get('workload=reviews&limit=3');
  assert.is(status, 200);
  assert.equal(pathsOf(body['entries']), ['/2', '/3', '/4']);
  assert.equal([body['more'], body['lost']], [true, 1]);
  assert.equal(requested, [{ query: { workload: { name: 'reviews' } }, limit: 3 }]);
  assert.equal(body['clusters'] as unknown, [
    { cluster: 'c1', replicas: [{ replica: 'a' }, { replica: 'b', problem: 'it does not answer' }] },
    { cluster: 'c2', replicas: [{ replica: 'x' }] },
    { cluster: 'direct', problem: 'the server reaches direct itself, so it has no agent that could answer' },
  ]);
});

test('the connection determines the cluster of an entry, not the agent', async () => {
  const fleetState = new FleetState();
  const claimed = logged('/1', 1, 'c2');
  await fleetState.connect('c1', { search: () => batches<LogBatch>({ entries: [claimed] }) });
  const { body } = await fleetState.get('cluster=c1');
  const [entry] = body['entries'] as unknown as Record<string, Record<string, unknown>>[];
  assert.equal(
    [entry?.['cluster'], entry?.['workload']?.['cluster'], entry?.['destination']?.['cluster']],
    ['c1', 'c1', 'c1'],
  );
});

test('unreachable clusters report the reason and the next action', async () => {
  const fleetState = new FleetState();
  await fleetState.connect('c1', {}, []);
  const word = { record: { replica: 'server-1', connected: true, inputs: {}, outputs: { behind: [] } }, refused: [] };
  fleetState.connections.onPeerAnnouncement('c2', word as never);
  const { body } = await fleetState.get('');
  const clusters = body['clusters'] as unknown as { problem: string; connectedTo?: string }[];
  assert.match(clusters[0]?.problem ?? '', /does not support logs and traffic; upgrade it/);
  assert.match(clusters[1]?.problem ?? '', /connected to replica server-1 of the server; call that replica/);
  assert.is(clusters[1]?.connectedTo, 'server-1');
  const unknown = await fleetState.get('cluster=nowhere');
  assert.is(unknown.status, 400);
  assert.match(unknown.body['error'] as unknown as string, /cluster nowhere does not exist; meshctl cluster list/);
  assert.is((await fleetState.get('limit=x')).status, 400);
});

test('an agent that fails or disconnects does not affect the others', async () => {
  const fleetState = new FleetState();
  await fleetState.connect('c1', { search: () => batches<LogBatch>({ entries: [logged('/1', 1)] }) });
  await fleetState.connect('c2', {});
  const { body } = await fleetState.get('cluster=c1&cluster=c2');
  assert.equal(pathsOf(body['entries']), ['/1']);
  const clusters = body['clusters'] as unknown as { problem?: string }[];
  assert.match(clusters[1]?.problem ?? '', /does not implement "logs.search"/);
});

test('searches beyond the limit are rejected', async () => {
  const fleetState = new FleetState();
  const gate = Promise.withResolvers<void>();
  await fleetState.connect('c1', {
    search: async function* () {
      await gate.promise;
      yield { entries: [] };
    },
  });
  const first = Array.from({ length: 8 }, () => fleetState.get('cluster=c1'));
  await new Promise((resume) => setImmediate(resume));
  assert.is((await fleetState.get('cluster=c1')).status, 503);
  gate.resolve();
  assert.equal(
    (await Promise.all(first)).map(({ status }) => status),
    Array(8).fill(200),
  );
  assert.is((await fleetState.get('cluster=c1')).status, 200);
});

test('a stream sends entries and cluster states, and ends at the agents when its reader disconnects', async () => {
  const fleetState = new FleetState();
  let ended = 0;
  const requested: LogTail[] = [];
  await fleetState.connect('c1', {
    tail: async function* (given, signal) {
      requested.push(given);
      yield { entries: [], replicas: [{ replica: 'a' }] };
      yield { entries: [logged('/1', 1, 'c9')] };
      yield { entries: [logged('/2', 2)], lost: 5 };
      await new Promise((resume) => signal.addEventListener('abort', resume));
      ended++;
    },
  });
  const events = await Events.open(fleetState, 'cluster=c1&status=5xx&limit=10');
  await events.until(({ paths }) => paths.length === 2);
  assert.equal(events.seen[0], { event: 'cluster', data: { cluster: 'c1', replicas: [{ replica: 'a' }] } });
  const [first] = (events.seen[1]?.data['entries'] ?? []) as Record<string, unknown>[];
  assert.is(first?.['cluster'], 'c1');
  assert.is(events.seen[2]?.data['lost'], 5);
  assert.equal(requested, [{ query: { status: [[500, 599]] }, history: 10 }]);
  await events[Symbol.asyncDispose]();
  await eventually('the agent is done with it', () => ended === 1);
});

test('a stream reports that an agent left and returned, and continues with entries logged meanwhile', async () => {
  const fleetState = new FleetState();
  const requested: LogTail[] = [];
  const tail = (path: string) =>
    async function* (given: LogTail, signal: AbortSignal): AsyncGenerator<LogBatch> {
      requested.push(given);
      yield { entries: [logged(path, 1)], replicas: [{ replica: path }] };
      await new Promise((resume) => signal.addEventListener('abort', resume));
    };
  const end = await fleetState.connect('c1', { tail: tail('/1') });
  await using events = await Events.open(fleetState, 'cluster=c1');
  await events.until(({ paths }) => paths.length === 1);
  end();
  await events.until(({ problems }) => problems.length > 0);
  assert.match(String(events.problems[0]), /no longer connected; the server calls it again/);
  await fleetState.connect('c1', { tail: tail('/2') });
  await events.until(({ paths }) => paths.length === 2);
  assert.equal(requested[0], { query: {}, history: 0 });
  assert.is(requested[1]?.history, 1_000);
  assert.ok(Math.abs((requested[1]?.query.since ?? 0) - Date.now()) < 600_000);
});

test('an unread stream takes little from the agents: the rest waits, and is dropped, there', async () => {
  const fleetState = new FleetState();
  let made = 0;
  await fleetState.connect('c1', {
    tail: async function* () {
      for (;;) yield { entries: [logged(`/${made++}/${'x'.repeat(10_000)}`, 1)] };
    },
  });
  await using events = await Events.open(fleetState, 'cluster=c1');
  await events.until(({ paths }) => paths.length > 0);
  let before = -1;
  await eventually('nothing more is taken', async () => {
    await new Promise((resume) => setTimeout(resume, 50));
    const still = made === before;
    before = made;
    return still;
  });
  assert.ok(made < 50, `${made} batches were requested from an agent without a reader`);
});

test('clusters beyond the limit of followed ones are rejected', async () => {
  const fleetState = new FleetState();
  const streams: Events[] = [];
  for (let at = 0; at < 256; at++) streams.push(await Events.open(fleetState, 'cluster=c1'));
  assert.equal(new Set(streams.map(({ status }) => status)), new Set([200]));
  const refused = await fleetState.app.request('/api/v1/logs?follow&cluster=c1');
  assert.is(refused.status, 503);
  assert.is(fleetState.streams.taken, 256);
  for (const stream of streams) await stream[Symbol.asyncDispose]();
  await eventually('there is room again', async () => {
    const again = await Events.open(fleetState, 'cluster=c1');
    await again[Symbol.asyncDispose]();
    return again.status === 200;
  });
  await eventually('all have ended', () => fleetState.streams.taken === 0);
});

test('streams of authenticated readers end after a while', async () => {
  const fleetState = new FleetState({ streamMs: 20 });
  await using events = await Events.open(fleetState, 'cluster=c1');
  const error = await events.until(() => false).catch((thrown: unknown) => thrown);
  assert.match(String(error), 'the stream ended');
});

test.run();
