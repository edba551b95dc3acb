/** The relay beside bare grpc-js with client certificates, both ends in this process: bytes, reconnections, idle connections. */
import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import process from 'node:process';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { median } from '../measure.ts';
import { type Credential, createAuthority } from '../relay/authority.ts';
import { type EchoClient, echoed, echoTo, startEcho } from '../relay/echo.ts';
import { BenchAgent, BenchServer, KIND } from '../relay/ends.ts';

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
  /** Objects of each in a second of CPU, relay over echo: the median of the rounds' ratios. */
  readonly ratio: number;
}

/** Objects of `bytes` pushed and acknowledged, against messages of as many bytes echoed; in turns, in one run. */
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
    // The first round is for the compiler.
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

function objectOf(at: number, round: number, bytes: number) {
  const body = Buffer.from(`{"a":"${`${round}.${at}.`.padEnd(bytes - 8, 'x')}"}`);
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 32);
  return { ...KIND, namespace: 'default', name: `n${at}`, hash, body };
}

export interface FleetResult {
  /** CPU of both ends for each agent, in milliseconds. */
  readonly bareMs: number;
  readonly relayMs: number;
  /** Heap and memory beside it of both ends, in KiB for each idle agent. */
  readonly bareKiB: number;
  readonly relayKiB: number;
  /** Share of one core while nothing happens. */
  readonly idleCore: number;
  /** Batches that the reconnections caused: what would be written and translated. */
  readonly batches: number;
}

/** A fleet that connects, goes and comes back with nothing changed, beside as many bare streams. */
export async function relayFleet({
  agents: count,
  idleMs,
}: {
  readonly agents: number;
  readonly idleMs: number;
}): Promise<FleetResult> {
  const authority = await createAuthority();
  const credentials: Credential[] = [];
  for (let at = 0; at < count; at++) credentials.push(await authority.agent(`c${at}`));
  const echo = await startEcho(authority);
  const ping = Buffer.from('hello');
  let clients: EchoClient[] = [];
  const connectBare = async (): Promise<void> => {
    clients = credentials.map((credential) => echoTo(echo.address, authority.roots, credential));
    await Promise.all(clients.map((client) => echoed(client, ping, 1)));
  };
  await connectBare();
  for (const client of clients) client.end();
  await settle();
  const empty = memory();
  const bareMs = await cpu(connectBare);
  await settle();
  const bare = memory() - empty;
  for (const client of clients) client.end();
  clients = [];
  echo.end();
  const server = await BenchServer.start(authority);
  const agents = credentials.map((credential, at) => new BenchAgent(`c${at}`, credential));
  for (const [at, agent] of agents.entries())
    for (let object = 0; object < 10; object++) agent.table.upsert(objectOf(object, at, 300));
  const connect = (): Promise<unknown> =>
    Promise.all(agents.map((agent) => agent.connect(server.address, authority.roots)));
  await connect();
  while (server.taken < count * 10) await turn();
  for (const agent of agents) agent.disconnect();
  await settle();
  const away = memory();
  const before = server.batches;
  const relayMs = await cpu(async () => void (await connect()));
  await settle();
  const relay = memory() - away;
  const idle = await cpu(() => pause(idleMs));
  const batches = server.batches - before;
  for (const agent of agents) agent.disconnect();
  await server.relay.close(100);
  return {
    bareMs: bareMs / count,
    relayMs: relayMs / count,
    bareKiB: bare / 1024 / count,
    relayKiB: relay / 1024 / count,
    idleCore: idle / idleMs,
    batches,
  };
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
