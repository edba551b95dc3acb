/** The relay compared with bare grpc-js with client certificates: bytes, reconnections, idle connections. */
import type { Buffer } from 'node:buffer';
import process from 'node:process';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { median } from '../measure.ts';
import type { Order } from '../relay/agents-main.ts';
import { AgentsProcess } from '../relay/agents-process.ts';
import { type BenchAuthority, type Credential, createAuthority } from '../relay/authority.ts';
import { echoed, echoTo, startEcho } from '../relay/echo.ts';
import { BenchAgent, BenchServer } from '../relay/ends.ts';
import { objectOf } from '../relay/objects.ts';

async function cpu(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

export interface ThroughputResult {
  /** CPU of both ends for the same objects, in milliseconds: medians of the rounds. */
  readonly relayMs: number;
  readonly echoMs: number;
  /** Objects per second of CPU, relay over echo: the median of the rounds' ratios. */
  readonly ratio: number;
}

/** Objects of `bytes` pushed and acknowledged, against echoed messages of the same size; in turns, in one run. */
export async function relayThroughput({
  bytes,
  count,
  rounds,
}: {
  readonly bytes: number;
  readonly count: number;
  readonly rounds: number;
}): Promise<ThroughputResult> {
  const authority = await createAuthority();
  const credential = await authority.agent('c1');
  const [server, echo] = [await BenchServer.start(authority), await startEcho(authority)];
  const agent = new BenchAgent('c1', credential);
  await agent.connect(server.address, authority.roots);
  const client = echoTo(echo.address, authority.roots, credential);
  const measured: Array<{ relay: number; raw: number }> = [];
  for (let round = 0; round <= rounds; round++) {
    const objects = Array.from({ length: count }, (_, at) => objectOf(at, round, bytes));
    const expected = server.taken + count;
    const relay = await cpu(async () => {
      for (const object of objects) agent.table.upsert(object);
      while (server.taken < expected) await turn();
    });
    const raw = await cpu(() => echoed(client, objects[0]?.body as Buffer, count));
    // The first round warms up the compiler.
    if (round > 0) measured.push({ relay, raw });
  }
  agent.disconnect();
  client.end();
  await server.relay.close(100);
  echo.end();
  return {
    relayMs: median(measured.map(({ relay }) => relay)),
    echoMs: median(measured.map(({ raw }) => raw)),
    ratio: median(measured.map(({ relay, raw }) => raw / relay)),
  };
}

interface Certified {
  readonly authority: BenchAuthority;
  /** Agents c0, c1, and so on. */
  readonly credentials: readonly Credential[];
}

async function authorityOf(agents: number): Promise<Certified> {
  const authority = await createAuthority();
  const credentials: Credential[] = [];
  for (let at = 0; at < agents; at++) credentials.push(await authority.agent(`c${at}`));
  return { authority, credentials };
}

export interface FleetResult {
  /** CPU of both ends for each agent, in milliseconds. */
  readonly bareMs: number;
  readonly relayMs: number;
  /** The server's memory for each idle agent: heap and other memory, in KiB. */
  readonly bareKiB: number;
  readonly relayKiB: number;
  /** Batches that the reconnections caused: each would be written and translated. */
  readonly batches: number;
}

/** Objects per agent. */
const OBJECTS = 10;

/**
 * A fleet that connects, disconnects and reconnects unchanged, compared with the same number of bare streams. The
 * agents' ends are in another process.
 */
export async function relayFleet({ agents: count }: { readonly agents: number }): Promise<FleetResult> {
  const { authority, credentials } = await authorityOf(count);
  await using fleet = new AgentsProcess({ roots: authority.roots, credentials, objects: OBJECTS });
  const echo = await startEcho(authority);
  const bare = await measured(fleet, { order: 'echo', address: echo.address });
  echo.end();
  const server = await BenchServer.start(authority);
  // On the first connection they send their objects.
  await fleet.run({ order: 'agents', address: server.address });
  while (server.taken < count * OBJECTS) await pause(10);
  await fleet.run({ order: 'leave' });
  await settle();
  const before = server.batches;
  const relay = await measured(fleet, { order: 'agents', address: server.address });
  const batches = server.batches - before;
  await server.relay.close(100);
  return {
    bareMs: bare.ms / count,
    relayMs: relay.ms / count,
    bareKiB: bare.bytes / 1024 / count,
    relayKiB: relay.bytes / 1024 / count,
    batches,
  };
}

/**
 * Connects all agents once for the compiler's warm-up, and again to measure the CPU of both ends and the memory of this
 * end.
 */
async function measured(fleet: AgentsProcess, order: Order): Promise<{ readonly ms: number; readonly bytes: number }> {
  await fleet.run(order);
  await settle();
  await fleet.run({ order: 'leave' });
  await settle();
  const empty = memory();
  let there = 0;
  const here = await cpu(async () => {
    there = await fleet.run(order);
  });
  await settle();
  const bytes = memory() - empty;
  await fleet.run({ order: 'leave' });
  return { ms: here + there, bytes };
}

async function settle(): Promise<void> {
  await pause(1500);
  globalThis.gc?.();
  await turn();
  globalThis.gc?.();
}

function memory(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

export interface RestResult {
  /** The server's share of one core. */
  readonly core: number;
}

/**
 * Cost of a server whose agents have nothing to send: pings, heartbeats, timers. Measured after a rest, because
 * compilation and collections of the start do not belong to idling.
 */
export async function relayAtRest({
  agents: count,
  restMs,
  idleMs,
}: {
  readonly agents: number;
  readonly restMs: number;
  readonly idleMs: number;
}): Promise<RestResult> {
  const { authority, credentials } = await authorityOf(count);
  await using fleet = new AgentsProcess({ roots: authority.roots, credentials, objects: OBJECTS });
  const server = await BenchServer.start(authority);
  await fleet.run({ order: 'agents', address: server.address });
  while (server.taken < count * OBJECTS) await pause(10);
  await settle();
  await pause(restMs);
  const core = (await cpu(() => pause(idleMs))) / idleMs;
  await fleet.run({ order: 'leave' });
  await server.relay.close(100);
  return { core };
}

export interface IdleResult {
  /** The server process's memory for each idle connection, in KiB. */
  readonly kibibytes: number;
}

/** Connections opened before the counted ones: these compile code and allocate shared structures. */
const FIRST = 30;

/**
 * Memory of a server's whole process for each idle connection, including TLS: bare streams, or both streams of agents
 * without objects. It must run in a separate process, since reused memory does not show in the figure.
 */
export async function relayIdle({
  transport,
  agents: count,
}: {
  readonly transport: 'bare' | 'relay';
  readonly agents: number;
}): Promise<IdleResult> {
  const { authority, credentials } = await authorityOf(FIRST + count);
  const server = transport === 'bare' ? await startEcho(authority) : await BenchServer.start(authority);
  const order = { order: transport === 'bare' ? 'echo' : 'agents', address: server.address } as const;
  const common = { roots: authority.roots, objects: 0 };
  await using first = new AgentsProcess({ ...common, credentials: credentials.slice(0, FIRST) });
  await using others = new AgentsProcess({ ...common, credentials: credentials.slice(FIRST), from: FIRST });
  await first.run(order);
  await settle();
  const before = process.memoryUsage.rss();
  await others.run(order);
  await settle();
  return { kibibytes: (process.memoryUsage.rss() - before) / 1024 / count };
}
