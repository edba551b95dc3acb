/**
 * Calls to agents that are connected to another replica of the server (T28): forwarded once, answered as if they were
 * here, or failed with a reason.
 */
import type { LogBatch, TrafficBatch } from '@meshrelay/relay-protocol';
import { assert, eventually, test } from '@meshrelay/testing';
import { Hono } from 'hono';
import { addAgentRoute } from '../../src/http/agent-route.ts';
import { type LogsFound, searchLogs } from '../../src/observe/log-search.ts';
import { type TailEvent, tailLogs } from '../../src/observe/log-tail.ts';
import { TrafficSampler } from '../../src/observe/traffic-sampler.ts';
import { kubernetesCluster } from '../support/discovered.ts';
import { declare, newFleet } from '../support/fleet.ts';
import { batches, type LogAnswers, logged } from '../support/logging-agents.ts';
import { type Replica, Replicas } from '../support/replicas.ts';

const fleet = newFleet();
await declare(fleet, kubernetesCluster('c1'), kubernetesCluster('c2'));
const forever = new AbortController().signal;

/** Two replicas; the agent of c1 is connected to the first, that of c2 to the second, and both know. */
async function twoReplicas(two: LogAnswers, one: LogAnswers = {}, capabilities?: readonly string[]) {
  const replicas = new Replicas();
  const [first, second] = [await replicas.start('server-0', fleet), await replicas.start('server-1', fleet)];
  await first.connect('c1', one);
  second.hears('c1', 'server-0');
  const leave = await second.connect('c2', two, capabilities);
  first.hears('c2', 'server-1');
  return { replicas, first, second, leave, [Symbol.asyncDispose]: () => replicas[Symbol.asyncDispose]() };
}

const search = ({ knowledge }: Replica, clusters = ['c2'], signal = forever): Promise<LogsFound> =>
  searchLogs(knowledge, { query: {}, limit: 10, clusters, signal });

/** A tail of c2, and its events. */
class Tail implements AsyncDisposable {
  readonly events: TailEvent[] = [];
  readonly #gone = new AbortController();
  readonly #running: Promise<void>;

  constructor({ knowledge }: Replica) {
    const tools = { ...knowledge, now: () => new Date(), pause: () => new Promise<void>((done) => setImmediate(done)) };
    const requested = { query: {}, history: 0, clusters: ['c2'], signal: this.#gone.signal };
    this.#running = (async () => {
      for await (const event of tailLogs(tools, requested)) this.events.push(event);
    })();
  }

  get paths(): unknown[] {
    return this.events.flatMap(({ type, data }) => (type === 'entries' ? data.entries.map(({ path }) => path) : []));
  }

  get problems(): string[] {
    return this.events.flatMap(({ type, data }) => (type === 'cluster' ? (data.problem ?? []) : []));
  }

  async until(what: string, probe: (tail: this) => boolean): Promise<void> {
    await eventually(what, () => probe(this), { deadline: 60_000, seen: () => this.events });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#gone.abort();
    await this.#running;
  }
}

/** One entry, then nothing until the reader disconnects. */
const reporting = (path: string, ended: () => void = () => undefined): LogAnswers => ({
  tail: async function* (_given, signal) {
    yield { entries: [], replicas: [{ replica: path }] };
    yield { entries: [logged(path, 1, 'c9')] };
    await new Promise((resume) => signal.addEventListener('abort', resume));
    ended();
  },
});

test('each replica answers for the agents of both, and the connection determines the cluster of an entry', async () => {
  const of = (path: string, second: number): LogAnswers => ({
    search: () =>
      batches<LogBatch>({ entries: [logged(path, second, 'c9')] }, { entries: [], replicas: [{ replica: 'a' }] }),
  });
  await using fleetState = await twoReplicas(of('/2', 2), of('/1', 1));
  for (const replica of [fleetState.first, fleetState.second]) {
    const { entries, clusters } = await search(replica, ['c1', 'c2']);
    assert.equal(
      entries.map(({ path, cluster }) => [path, cluster]),
      [
        ['/1', 'c1'],
        ['/2', 'c2'],
      ],
    );
    assert.equal(clusters, [
      { cluster: 'c1', replicas: [{ replica: 'a' }] },
      { cluster: 'c2', replicas: [{ replica: 'a' }] },
    ]);
    assert.equal(replica.counted, ['answered']);
  }
});

test('traffic is measured through the other replica, too', async () => {
  let now = 0;
  const web = { name: 'web', namespace: 'shop', cluster: 'c2' };
  const edges = (): AsyncGenerator<TrafficBatch> => {
    const count = now / 10;
    const common = { replica: 'a', epoch: 'e', at: now, bounds: [10], overflowed: 0 };
    const edge = {
      source: web,
      reporter: 'source',
      responses: { '2xx': count },
      durations: { counts: [count], count, sum: 0 },
    };
    return batches<TrafficBatch>(
      { ...common, edges: [edge as never] },
      { ...common, edges: [], replicas: [{ replica: 'a' }] },
    );
  };
  await using fleetState = await twoReplicas({ edges });
  using sampler = new TrafficSampler({
    ...fleetState.first.knowledge,
    now: () => now,
    sleep: async (milliseconds) => {
      now += milliseconds;
    },
  });
  const { sums, clusters } = await sampler.measure(['c2'], forever);
  assert.is(sums.edges()[0]?.requests, 100);
  assert.is(sums.misattributed, 0);
  assert.equal(clusters, [{ cluster: 'c2', replicas: [{ replica: 'a' }] }]);
});

test('a stream continues until its reader disconnects, and ends at the agent', async () => {
  let ended = 0;
  await using fleetState = await twoReplicas(reporting('/1', () => ended++));
  {
    await using tail = new Tail(fleetState.first);
    await tail.until('the entry arrives', ({ paths }) => paths.length === 1);
    assert.is(fleetState.second.server.calls, 1);
  }
  await eventually('the agent is done with it', () => ended === 1 && fleetState.second.server.calls === 0);
  assert.equal(fleetState.first.counted, ['answered']);
});

test('an aborted search is aborted at the agent', async () => {
  const requested = Promise.withResolvers<void>();
  let ended = false;
  const search = async function* (): AsyncGenerator<LogBatch> {
    try {
      for (;;) {
        yield { entries: [] };
        requested.resolve();
        await new Promise((resume) => setImmediate(resume));
      }
    } finally {
      ended = true;
    }
  };
  await using fleetState = await twoReplicas({ search });
  const reader = new AbortController();
  const found = searchLogs(fleetState.first.knowledge, {
    query: {},
    limit: 10,
    clusters: ['c2'],
    signal: reader.signal,
  });
  await requested.promise;
  reader.abort(new Error('gone'));
  assert.match(await found.then(() => 'an answer', String), 'gone');
  await eventually('the agent is done with it', () => ended && fleetState.second.server.calls === 0);
});

test('a stream follows an agent that moves to the local replica, and away again', async () => {
  await using fleetState = await twoReplicas(reporting('/there'));
  const { first, second, leave } = fleetState;
  await using tail = new Tail(first);
  await tail.until('the entry arrives', ({ paths }) => paths.includes('/there'));
  const leaveHere = await first.connect('c2', reporting('/here'));
  leave();
  await tail.until('the entry arrives here', ({ paths }) => paths.includes('/here'));
  assert.match(tail.problems.at(0) ?? '', /no longer connected; the server calls it again/);
  await second.connect('c2', reporting('/back'));
  leaveHere();
  await tail.until('the entry arrives from there again', ({ paths }) => paths.includes('/back'));
});

test('an agent that has just left its announced replica is looked up again', async () => {
  const of = (path: string): LogAnswers => ({ search: () => batches<LogBatch>({ entries: [logged(path, 1)] }) });
  await using fleetState = await twoReplicas(of('/1'));
  const { replicas, first, leave } = fleetState;
  const third = await replicas.start('server-2', fleet);
  leave();
  await third.connect('c2', of('/2'));
  replicas.onLook = (replica, check) => {
    if (check === 2) replica.hears('c2', 'server-2');
  };
  const { entries } = await search(first);
  assert.equal(
    entries.map(({ path }) => path),
    ['/2'],
  );
  assert.is(replicas.attempts, 2);
  await first.connect('c2', of('/3'));
  assert.is((await search(first)).entries[0]?.['path'], '/3');
});

test('a call is forwarded once: if each replica expects the agent at the other, that is reported', async () => {
  await using fleetState = await twoReplicas({});
  const { replicas, first, second, leave } = fleetState;
  leave();
  second.hears('c2', 'server-0');
  const { clusters } = await search(first);
  const [{ problem = '', ...where } = { cluster: '' }, ...others] = clusters;
  assert.equal([where, others], [{ cluster: 'c2', connectedTo: 'server-1' }, []]);
  assert.match(problem, /^the agent of c2 is not connected to replica server-1\. Try again/);
  assert.equal([first.counted.length, second.counted.length], [4, 0]);
  assert.is(replicas.attempts, 3);
});

test('the error names a replica that cannot be called, and why: an older release, or gone', async () => {
  await using fleetState = await twoReplicas({});
  const { replicas, first } = fleetState;
  const problemOf = async (): Promise<string> => {
    const [{ connectedTo, problem } = { connectedTo: undefined, problem: undefined }] = (await search(first)).clusters;
    assert.is(connectedTo, first.connections.of('c2').replica);
    return problem ?? 'no problem';
  };
  await replicas.kill('server-1');
  assert.match(
    await problemOf(),
    /connected to replica server-1 of the server, which cannot be called from here \(.*ECONNREFUSED.*\)\. Call that replica/,
  );
  first.hears('c2', 'server-7');
  assert.match(await problemOf(), /replica server-7 of the server, .*no pod server-7/);
  assert.equal(first.counted, ['unreached', 'unreached']);
  assert.is(replicas.attempts, 0, 'no replica is looked up that was not reported as stopped');
});

test('the error names a replica that stops while it answers; the others continue', async () => {
  const fleetState = await twoReplicas(reporting('/1'), {
    search: () => batches<LogBatch>({ entries: [logged('/here', 1)] }),
  });
  const { replicas, first, leave } = fleetState;
  await using _ = fleetState;
  await using tail = new Tail(first);
  await tail.until('the entry arrives', ({ paths }) => paths.length === 1);
  await replicas.kill('server-1');
  await tail.until('it is named', ({ problems }) => problems.some((problem) => problem.includes('replica server-1')));
  const { entries, clusters } = await search(first, ['c1', 'c2']);
  assert.equal([entries.length, clusters[1]?.connectedTo], [1, 'server-1']);
  leave();
  await first.connect('c2', reporting('/2'));
  await tail.until('the agent is heard where it is now', ({ paths }) => paths.includes('/2'));
});

test('a rejection by an agent is reported as if it were here', async () => {
  await using fleetState = await twoReplicas({});
  const { clusters } = await search(fleetState.first);
  assert.match(clusters[0]?.problem ?? '', /does not implement "logs.search"/);
  assert.equal(fleetState.first.counted, ['failed']);
  await using old = await twoReplicas({}, {}, []);
  assert.match((await search(old.first)).clusters[0]?.problem ?? '', /does not support logs and traffic; upgrade it/);
  assert.is(old.replicas.attempts, 0);
});

test('an unread stream takes little from the agent: the rest waits, and is dropped, there', async () => {
  let made = 0;
  await using fleetState = await twoReplicas({
    tail: async function* () {
      for (;;) yield { entries: [logged(`/${made++}/${'x'.repeat(100_000)}`, 1)] };
    },
  });
  const gone = new AbortController();
  const tools = { ...fleetState.first.knowledge, now: () => new Date(), pause: async () => undefined };
  const events = tailLogs(tools, { query: {}, history: 0, clusters: ['c2'], signal: gone.signal });
  await events.next();
  let before = -1;
  await eventually('nothing more is taken', async () => {
    await new Promise((resume) => setTimeout(resume, 100));
    const still = made === before;
    before = made;
    return still;
  });
  // The connection between the replicas buffers some megabytes.
  assert.ok(made < 500, `${made} batches were requested from an agent without a reader`);
  gone.abort();
  await events.return(undefined);
});

test('any replica returns the state of an agent, also of one without logs', async () => {
  const state = { cluster: 'c2', term: 7 };
  await using fleetState = await twoReplicas({ state: () => state as never }, {}, []);
  const app = new Hono();
  addAgentRoute(app, fleetState.first.knowledge);
  const response = await app.request('/api/v1/clusters/c2/agent');
  assert.equal([response.status, await response.json()], [200, state]);
  await fleetState.replicas.kill('server-1');
  const unreached = await app.request('/api/v1/clusters/c2/agent');
  assert.is(unreached.status, 502);
  assert.match(((await unreached.json()) as { error: string }).error, /replica server-1 of the server/);
});

test('replicas forward only calls that read, and that name their replica', async () => {
  await using fleetState = await twoReplicas({ search: () => batches<LogBatch>({ entries: [] }) });
  const problem = async (method: string, given: unknown): Promise<string> => {
    try {
      for await (const _ of fleetState.replicas.ask('server-1', method, given));
    } catch (error) {
      return (error as Error).message;
    }
    return 'no problem';
  };
  const question = { id: 'q-1', cluster: 'c2', timeout: 1_000, given: { query: {}, limit: 1 } };
  assert.is(await problem('logs.search', question), 'no problem');
  for (const method of ['agent.trust', '__proto__']) assert.match(await problem(method, question), /404/);
  assert.match(await problem('logs.search', { ...question, timeout: 1e9 }), /400.*timeout/);
  assert.match(await problem('logs.search', { ...question, id: 'a b' }), /400.*id/);
  assert.match(await problem('logs.search', { ...question, replica: 'server-0' }), /400/);
  assert.match(await problem('logs.search', { id: 'q-1', timeout: 1, given: {} }), /400.*cluster/);
});

test.run();
