/** Each replica announces itself by a Lease: its version, its problems, and its silence. */
import { setTimeout as answerAfter } from 'node:timers/promises';
import type { Lease, LeaseClient } from '@meshrelay/agent-leader';
import { LeaseRequestError } from '@meshrelay/agent-leader';
import { PROBLEMS_ANNOTATION, PROGRAM_ANNOTATION, REPLICA_LEASES } from '@meshrelay/relay-core';
import { createLogger } from '@meshrelay/telemetry';
import { assert, test } from '@meshrelay/testing';
import { PROGRAM } from '../../src/program.ts';
import { REPLICA_LEASE_SECONDS, ReplicaLease } from '../../src/replicas/replica-lease.ts';

type Stored = Lease & { readonly metadata: { readonly annotations?: Readonly<Record<string, string>> } };

/** Leases of a simulated API server: a stale update is a conflict. */
class Leases implements LeaseClient {
  readonly stored = new Map<string, Stored>();
  failing: Error | undefined;
  /** Milliseconds until each read is answered. */
  delay = 0;
  writes = 0;
  #version = 0;

  async get(_namespace: string, name: string, signal?: AbortSignal): Promise<Lease | undefined> {
    if (this.failing !== undefined) throw this.failing;
    if (this.delay > 0) await answerAfter(this.delay, undefined, { signal });
    return this.stored.get(name);
  }

  async create(lease: Lease): Promise<Lease> {
    if (this.stored.has(lease.metadata.name)) throw new LeaseRequestError('create', 409, 'it exists');
    return this.#store(lease);
  }

  async update(lease: Lease): Promise<Lease> {
    const { name, resourceVersion } = lease.metadata;
    if (this.stored.get(name)?.metadata.resourceVersion !== resourceVersion)
      throw new LeaseRequestError('update', 409, 'it has changed');
    return this.#store(lease);
  }

  #store(lease: Lease): Lease {
    this.writes += 1;
    this.#version += 1;
    const stored = { ...lease, metadata: { ...lease.metadata, resourceVersion: String(this.#version) } };
    this.stored.set(lease.metadata.name, stored);
    return stored;
  }
}

class FleetState implements AsyncDisposable {
  readonly leases = new Leases();
  readonly log: string[] = [];
  time = Date.parse('2030-01-01T00:00:00Z');
  leader = '';
  readonly #cleanup = new AsyncDisposableStack();

  async start(replica: string, problems: () => readonly string[] = () => []): Promise<ReplicaLease> {
    const lease = new ReplicaLease({
      leases: this.leases,
      namespace: 'meshrelay',
      replica,
      identity: `${replica}_1`,
      now: () => new Date(this.time),
      problems,
      leads: () => this.leader === replica,
      logger: createLogger({
        name: 'test',
        level: 'info',
        destination: { write: (line: string) => void this.log.push(line) },
      }),
    });
    this.#cleanup.use(lease);
    await lease.check();
    return lease;
  }

  /** By the suffix of their names: holder, renewal, problems. */
  held(): Array<readonly [holder: string, renewTime: string | undefined, problems: string | undefined]> {
    return [...this.leases.stored.values()].map(({ spec, metadata: { annotations } }) => [
      spec?.holderIdentity ?? '',
      spec?.renewTime,
      annotations?.[PROBLEMS_ANNOTATION],
    ]);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#cleanup.disposeAsync();
  }
}

test('replicas take the first free Lease, with their version, and renew it as long as they run', async () => {
  await using fleetState = new FleetState();
  const first = await fleetState.start('server-0');
  await fleetState.start('server-1');
  assert.equal([...fleetState.leases.stored.keys()], REPLICA_LEASES.slice(0, 2));
  assert.is(fleetState.leases.stored.get(REPLICA_LEASES[0] ?? '')?.metadata.annotations?.[PROGRAM_ANNOTATION], PROGRAM);
  const { writes } = fleetState.leases;
  fleetState.time += 9_000;
  await first.check();
  assert.is(fleetState.leases.writes, writes, 'nothing is due');
  fleetState.time += 1_000;
  await first.check();
  assert.equal(fleetState.held(), [
    ['server-0_1', '2030-01-01T00:00:10.000000Z', undefined],
    ['server-1_1', '2030-01-01T00:00:00.000000Z', undefined],
  ]);
});

test('a problem is written at once, and removed at once', async () => {
  await using fleetState = new FleetState();
  const problems: string[] = [];
  const lease = await fleetState.start('server-0', () => problems);
  problems.push('Redis is unreachable', 'the relay accepts no connections');
  await lease.check();
  assert.is(fleetState.held()[0]?.[2], 'Redis is unreachable; the relay accepts no connections');
  problems.length = 0;
  await lease.check();
  assert.is(fleetState.held()[0]?.[2], undefined);
});

test('a graceful shutdown releases the Lease for the next; a silent replica keeps it until it expires', async () => {
  await using fleetState = new FleetState();
  const first = await fleetState.start('server-0');
  await first[Symbol.asyncDispose]();
  assert.equal(fleetState.held(), [['', '2030-01-01T00:00:00.000000Z', undefined]]);
  await fleetState.start('server-1');
  await fleetState.start('server-2');
  assert.equal(
    fleetState.held().map(([holder]) => holder),
    ['server-1_1', 'server-2_1'],
  );
  fleetState.time += REPLICA_LEASE_SECONDS * 1000 + 1;
  await fleetState.start('server-3');
  assert.equal(
    fleetState.held().map(([holder]) => holder),
    ['server-3_1', 'server-2_1'],
  );
});

test('a graceful shutdown releases the Lease also if the API server takes more than a second to answer', async () => {
  await using fleetState = new FleetState();
  const lease = await fleetState.start('server-0');
  fleetState.leases.delay = 1_200;
  await lease[Symbol.asyncDispose]();
  assert.equal(
    fleetState.held().map(([holder]) => holder),
    [''],
  );
  assert.equal(fleetState.log, []);
});

test('a replica whose Lease another took takes another', async () => {
  await using fleetState = new FleetState();
  const frozen = await fleetState.start('server-0', () => ['Redis is unreachable']);
  fleetState.time += REPLICA_LEASE_SECONDS * 1000 + 1;
  await fleetState.start('server-1');
  await frozen.check();
  assert.equal(
    fleetState.held().map(([holder, , problems]) => [holder, problems]),
    [
      ['server-1_1', undefined],
      ['server-0_1', 'Redis is unreachable'],
    ],
  );
});

test('only the leader releases the Lease of a replica that has been silent for ten minutes', async () => {
  await using fleetState = new FleetState();
  await fleetState.start('gone');
  const follower = await fleetState.start('server-0');
  const leader = await fleetState.start('server-1');
  fleetState.leader = 'server-1';
  const goOn = async (milliseconds: number): Promise<string[]> => {
    fleetState.time += milliseconds;
    await follower.check();
    await leader.check();
    return fleetState.held().map(([holder]) => holder);
  };
  assert.equal(await goOn(599_000), ['gone_1', 'server-0_1', 'server-1_1']);
  assert.equal(await goOn(61_000), ['', 'server-0_1', 'server-1_1']);
});

test('a Lease that cannot be written is logged once, and once more when it can', async () => {
  await using fleetState = new FleetState();
  const lease = await fleetState.start('server-0');
  fleetState.leases.failing = new Error('no route');
  for (const _ of [1, 2, 3]) {
    fleetState.time += 10_000;
    await lease.check();
  }
  fleetState.leases.failing = undefined;
  fleetState.time += 10_000;
  await lease.check();
  assert.equal(
    fleetState.log.map((line) => JSON.parse(line).msg),
    [
      'the Lease of this replica cannot be written; meshctl check does not list this replica meanwhile',
      'the Lease of this replica is renewed again',
    ],
  );
});

test.run();
