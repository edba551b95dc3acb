/** The leader's answers for all replicas: those that end, appear late, or cannot be listed. */
import type { Peer, PeerServer } from '@meshrelay/peers';
import { assert, test } from '@meshrelay/testing';
import { ClusterObserver } from '../../src/observe/cluster-observer.ts';
import type { Observer } from '../../src/observe/observer.ts';
import { loggingReplica, MOMENT } from '../harness/logging-replica.ts';
import { peerOf, servePeer } from '../harness/peers.ts';
import { Reading } from '../harness/reading.ts';

const forever = new AbortController().signal;

/** A leader, `agent-0`, with other replicas that a test starts and ends. */
class FleetState implements AsyncDisposable {
  readonly leader = loggingReplica('agent-0');
  readonly pods = new Map<string, Peer>();
  readonly servers = new Map<string, PeerServer>();
  /** Why pods cannot be listed. */
  failure: Error | undefined;
  now = MOMENT;
  finds = 0;
  #reconcile = (): void => undefined;
  readonly observer = new ClusterObserver({
    replica: 'agent-0',
    own: this.leader.observer,
    peers: {
      find: async () => {
        this.finds++;
        if (this.failure !== undefined) throw this.failure;
        return [...this.pods.values()];
      },
      observer: peerOf,
    },
    sleep: (_milliseconds, signal) =>
      new Promise((wake) => {
        this.#reconcile = wake;
        signal?.addEventListener('abort', () => wake(), { once: true });
      }),
    now: () => new Date(this.now),
  });

  async start(replica: string, observer: Observer): Promise<void> {
    const { server, peer } = await servePeer(replica, observer);
    this.servers.set(replica, server);
    this.pods.set(replica, peer);
  }

  /** Like a killed process: the pod is still listed. */
  async kill(replica: string): Promise<void> {
    await this.servers.get(replica)?.[Symbol.asyncDispose]();
    this.servers.delete(replica);
  }

  /** Lists the replicas again, which otherwise happens every few seconds. */
  reconcile(): void {
    this.#reconcile();
  }

  tail(history = 0): Reading {
    return new Reading((signal) => this.observer.ask('logs.tail', { query: {}, history }, signal));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const replica of [...this.servers.keys()]) await this.kill(replica);
  }
}

test('a search finds the newest entries of all replicas, and reports which did not answer', async () => {
  await using fixture = new FleetState();
  const follower = loggingReplica('agent-1');
  await fixture.start('agent-1', follower.observer);
  await fixture.start('agent-2', loggingReplica('agent-2').observer);
  await fixture.kill('agent-2');
  fixture.leader.send({ path: '/1', at: 1 }, { path: '/4', at: 4 }, { path: '/5', at: 5 });
  follower.send({ path: '/2', at: 2 }, { path: '/3', at: 3 });
  const batches = [];
  for await (const batch of fixture.observer.ask('logs.search', { query: {}, limit: 4 }, forever)) batches.push(batch);
  assert.equal(
    batches.flatMap(({ entries }) => entries.map(({ path }) => path)),
    ['/2', '/3', '/4', '/5'],
  );
  const { replicas = [], more } = batches.at(-1) ?? {};
  assert.equal(
    replicas.map(({ replica, problem }) => [replica, problem === undefined]),
    [
      ['agent-0', true],
      ['agent-1', true],
      ['agent-2', false],
    ],
  );
  assert.match(replicas[2]?.problem ?? '', 'ECONNREFUSED');
  assert.is(more, true);
});

test('if replicas cannot be listed, the answer of the leader reports that', async () => {
  await using fixture = new FleetState();
  fixture.leader.send({ path: '/1' });
  fixture.failure = new Error('forbidden');
  const batches = [];
  for await (const batch of fixture.observer.ask('logs.search', { query: {}, limit: 4 }, forever)) batches.push(batch);
  assert.is(batches[0]?.entries.length, 1);
  assert.match(batches.at(-1)?.replicas?.[1]?.problem ?? '', /cannot be listed: forbidden/);
});

test('a tail continues when a follower is killed, reports it, and includes it again when it is back', async () => {
  await using fixture = new FleetState();
  const follower = loggingReplica('agent-1');
  follower.send({ path: '/before', at: -5 });
  await fixture.start('agent-1', follower.observer);
  await using reading = fixture.tail(10);
  await reading.until('both answer', ({ replicas }) => replicas.length === 2);
  follower.send({ path: '/a', at: 1 });
  fixture.leader.send({ path: '/b', at: 1 });
  await reading.until('all is there', ({ paths }) => paths.length === 3);
  assert.equal([...reading.paths].sort(), ['/a', '/b', '/before']);
  fixture.now = MOMENT + 10;
  await fixture.kill('agent-1');
  await reading.until('it is said', () => reading.answerOf('agent-1')?.problem !== undefined);
  fixture.leader.send({ path: '/c', at: 11 });
  await reading.until('the leader continues', ({ paths }) => paths.includes('/c'));
  // Another process under its name, like a StatefulSet pod or a restarted container: entries that it received before it
  // was found are sent.
  const again = loggingReplica('agent-1');
  again.send({ path: '/d', at: 12 });
  await fixture.start('agent-1', again.observer);
  fixture.reconcile();
  await reading.until('it answers again', () => reading.answerOf('agent-1')?.problem === undefined);
  again.send({ path: '/e', at: 13 });
  await reading.until('all is there', ({ paths }) => paths.includes('/e'));
  assert.equal(reading.paths.slice(3), ['/c', '/d', '/e']);
});

test('a replica that joins later is read from the start of the tail, one that ends is reported once', async () => {
  await using fixture = new FleetState();
  await using reading = fixture.tail();
  await reading.until('the leader answers', ({ replicas }) => replicas.length === 1);
  const late = loggingReplica('agent-9');
  late.send({ path: '/old', at: -1 }, { path: '/new', at: 1 });
  await fixture.start('agent-9', late.observer);
  fixture.reconcile();
  await reading.until('it is heard', ({ paths }) => paths.length === 1);
  assert.equal(reading.paths, ['/new']);
  await fixture.kill('agent-9');
  await reading.until('it is missed', () => reading.answerOf('agent-9')?.problem !== undefined);
  fixture.pods.clear();
  fixture.reconcile();
  await reading.until('it is gone', () => reading.answerOf('agent-9')?.gone === true);
  assert.is(reading.replicas.filter(({ gone }) => gone).length, 1);
});

test('a failure to list replicas is reported once, and so is its end', async () => {
  await using fixture = new FleetState();
  fixture.failure = new Error('forbidden');
  await using reading = fixture.tail();
  await reading.until('it is said', () => reading.answerOf('(others)')?.problem !== undefined);
  fixture.reconcile();
  await reading.until('it was tried again', () => fixture.finds === 2);
  fixture.failure = undefined;
  fixture.reconcile();
  await reading.until('it is over', () => reading.answerOf('(others)')?.problem === undefined);
  assert.is(reading.replicas.filter(({ replica }) => replica === '(others)').length, 2);
});

test('each replica reports its own edges', async () => {
  await using fixture = new FleetState();
  const follower = loggingReplica('agent-1');
  await fixture.start('agent-1', follower.observer);
  fixture.leader.send({ path: '/1' });
  follower.send({ path: '/2' }, { path: '/3' });
  const batches = [];
  for await (const batch of fixture.observer.ask('traffic.edges', {}, forever)) batches.push(batch);
  const counts = batches.flatMap(({ epoch, edges }) => edges.map(({ responses }) => [epoch, responses['2xx']]));
  assert.equal(counts.sort(), [
    ['agent-0-1', 1],
    ['agent-1-1', 2],
  ]);
  assert.equal(
    batches.at(-1)?.replicas?.map(({ replica }) => replica),
    ['agent-0', 'agent-1'],
  );
});

test.run();
