/**
 * Planned ends: the next connection is open before the old one closes, nothing is sent twice, and agents spread over
 * replicas.
 */
import { assert, eventually, test } from '@meshrelay/testing';
import { MACHINE_CAPABILITIES } from '../../src/capabilities.ts';
import { successor } from '../../src/grpc/move.ts';
import { type ConnectionHooks, type RelayClientState, runRelayClient } from '../../src/grpc/relay-client.ts';
import { PullReceiver } from '../../src/stream/pull-receiver.ts';
import { PushSender } from '../../src/stream/push-sender.ts';
import { envelope, KINDS, keyOf } from '../link.ts';
import { Authority } from './authority.ts';
import { TestAgent, TestServer } from './fixture.ts';

const authority = await Authority.create();
const c1 = await authority.agent('c1');
const capabilities = [...MACHINE_CAPABILITIES, 'move'];

class MovingAgent extends TestAgent {
  readonly states: RelayClientState[] = [];
  readonly #stop = new AbortController();
  #running: Promise<void> = Promise.resolve();

  run(address: () => string): void {
    this.#running = runRelayClient({
      connection: () => ({
        address: address(),
        authority: 'relay.test',
        roots: authority.rootsPem,
        cluster: 'c1',
        clientCertificate: c1,
      }),
      push: (hooks) => this.pushes(hooks),
      pull: (hooks) => this.pulls(hooks),
      signal: this.#stop.signal,
      onState: (state) => this.states.push(state),
      backoff: { first: 5, max: 20 },
    });
  }

  pushes(hooks: ConnectionHooks): PushSender {
    const { sequence, table } = this;
    return new PushSender({ cluster: 'c1', sequence, table, kinds: KINDS, capabilities, ...hooks });
  }

  pulls({ onMove }: ConnectionHooks): PullReceiver {
    const { contentIndex, sequence, fixture } = this;
    const applier = { apply: (batch: Parameters<typeof fixture.take>[0]) => fixture.take(batch) };
    const head = { cluster: 'c1', term: sequence.term, kinds: KINDS, contentIndex, applied: new Map() };
    return new PullReceiver({ ...head, capabilities, applier, onMove });
  }

  /** How often it had no connection. */
  get outages(): number {
    return this.states.filter(({ state }) => state === 'waiting').length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }
}

function fill(agent: TestAgent): void {
  for (let at = 0; at < 50; at++) agent.table.upsert(envelope(keyOf(at, `n${at}`), 'x'));
}

/** Both have the other's content. */
function share(from: TestServer, to: TestServer): void {
  to.fleets.set('c1', from.fixture('c1'));
  const contentIndex = from.contentIndex.get('c1');
  if (contentIndex !== undefined) to.contentIndex.set('c1', contentIndex);
}

test('a connection that reaches its age is reopened before it ends, and nothing is sent again', async () => {
  await using server = await TestServer.start(authority, { connectionAge: 300, random: () => 0.5 });
  await using agent = new MovingAgent('c1');
  fill(agent);
  agent.run(() => server.address);
  await eventually('everything to be there', () => server.fixture('c1').objects.size === 50);
  const moves = () => server.log.lines.filter((line) => line.includes('relay stream opened') && line.includes('push'));
  await eventually('three connections', () => moves().length >= 3);
  assert.is(server.fixture('c1').upserted, 50);
  assert.is(agent.outages, 0);
  assert.is(server.relay.sessions().length, 2);
});

test('agents of a draining server have moved before it ends', async () => {
  const first = await TestServer.start(authority);
  await using second = await TestServer.start(authority);
  await using agent = new MovingAgent('c1');
  fill(agent);
  let address = first.address;
  agent.run(() => address);
  await eventually('everything to be there', () => first.fixture('c1').objects.size === 50);
  share(first, second);
  address = second.address;
  await first.relay.close(20_000);
  await eventually('the other to have it', () => second.relay.sessions().length === 2);
  agent.table.upsert(envelope(keyOf(0, 'late'), 'x'));
  await eventually('the news to arrive', () => second.fixture('c1').objects.size === 51);
  assert.is(second.fixture('c1').upserted, 51);
  assert.is(agent.outages, 0);
});

test('a draining server without another replica ends at once', async () => {
  const server = await TestServer.start(authority);
  await using agent = new MovingAgent('c1');
  agent.run(() => server.address);
  await eventually('it to be connected', () => agent.states.some(({ state }) => state === 'connected'));
  const began = performance.now();
  await server.relay.close(60_000);
  assert.ok(performance.now() - began < 30_000);
});

test('agents spread over all addresses', async () => {
  await using first = await TestServer.start(authority);
  await using second = await TestServer.start(authority);
  const all = `ipv4:${first.address},${second.address}`;
  const agents = Array.from({ length: 24 }, (_, at) => new MovingAgent('c1', at + 1));
  for (const agent of agents) {
    agent.run(() => all);
    await eventually('it to be connected', () => agent.states.some(({ state }) => state === 'connected'));
    await agent[Symbol.asyncDispose]();
  }
  const pushes = ({ log }: TestServer) =>
    log.lines.filter((line) => line.includes('stream opened') && line.includes('push')).length;
  assert.ok(pushes(first) > 0 && pushes(second) > 0, `${pushes(first)} and ${pushes(second)}`);
});

test('when one of two replicas stops, its agents connect to the other', async () => {
  const first = await TestServer.start(authority);
  await using second = await TestServer.start(authority);
  const all = `ipv4:${first.address},${second.address}`;
  await using agent = new MovingAgent('c1');
  agent.run(() => all);
  await eventually('it to be connected', () => agent.states.some(({ state }) => state === 'connected'));
  await first.relay.close(1);
  await eventually('it to be with the second', () => second.relay.sessions().length === 2);
});

test('a replacement that cannot be opened is retried until the time is up', async () => {
  let [time, attempts, closed] = [0, 0, 0];
  const connection = { ready: () => Promise.reject(new Error('refused')), close: () => void closed++ };
  const mover = {
    dial: async () => {
      attempts++;
      return { connection };
    },
    sleep: async (milliseconds: number) => {
      time += milliseconds;
    },
    signal: new AbortController().signal,
    now: () => time,
  };
  assert.is(await successor(35_000, mover), undefined);
  assert.is(attempts, 4);
  assert.is(closed, 4);
  assert.is(await successor(5_000, mover), undefined);
  assert.is(attempts, 5, 'who has no time tries once');
});

test.run();
