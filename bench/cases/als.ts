/** Access logs: the sink compared with a grpc-go server with go-control-plane's messages, and the sink in a flood. */
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { ACCESS_LOG_SERVICE } from '@meshrelay/access-log-sink';
import { goProgram } from '@meshrelay/testing/go';
import { pour } from '@meshrelay/testing/load';
import { Contender } from '../als/contender.ts';
import { identifier, logMessages } from '../als/entries.ts';
import { median } from '../measure.ts';

const SINK = fileURLToPath(new URL('../als/sink-server.ts', import.meta.url));
const PEER = fileURLToPath(new URL('../als/go/als-server', import.meta.url));
const { path } = ACCESS_LOG_SERVICE.streamAccessLogs;
/** Different messages, so no server benefits from having just seen the same one. */
const MESSAGES = 200;
const CONNECTIONS = 10;
/** Streams on each connection: 50 in all. */
const STREAMS = 5;

function sink(mode: string): readonly [string, ...string[]] {
  return [process.execPath, '--disable-warning=ExperimentalWarning', SINK, mode];
}

type Name = 'keep' | 'project' | 'full' | 'tail' | 'goKeep' | 'goProject' | 'goKeepPinned' | 'goProjectPinned';

export interface AlsRates {
  readonly bytesPerEntry: number;
  /** Entries per second of the server's CPU: medians of the rounds. */
  readonly rates: Readonly<Record<Name, number>>;
  /**
   * The sink over the faster of both compared servers, with GOMAXPROCS 1 and unpinned: the median of the rounds'
   * ratios.
   */
  readonly keep: number;
  readonly project: number;
  readonly full: number;
  readonly tail: number;
}

interface Counts {
  readonly received: number;
  readonly retained: number;
  readonly classes: readonly number[];
}

/** Multiple of a round's entries for the compiler's warm-up before the first. */
const WARM_UP = 3;

/** All in one run, alternating. */
export async function alsRates({
  each,
  entries,
  rounds,
}: {
  readonly each: number;
  readonly entries: number;
  readonly rounds: number;
}): Promise<AlsRates> {
  const peer = await goProgram(PEER, { print: (line) => process.stderr.write(`${line}\n`) });
  const pinned = { GOMAXPROCS: '1' };
  const contenders: ReadonlyArray<readonly [Name, Contender]> = [
    ['goKeep', await Contender.start([peer, 'keep'])],
    ['keep', await Contender.start(sink('keep'))],
    ['goKeepPinned', await Contender.start([peer, 'keep'], pinned)],
    ['full', await Contender.start(sink('full'))],
    ['goProject', await Contender.start([peer, 'project'])],
    ['project', await Contender.start(sink('project'))],
    ['tail', await Contender.start(sink('tail'))],
    ['goProjectPinned', await Contender.start([peer, 'project'], pinned)],
  ];
  const messages = logMessages(MESSAGES, each);
  const perConnection = Math.ceil(entries / each / CONNECTIONS);
  const common = { path, connections: CONNECTIONS, streams: STREAMS, first: identifier(), messages };
  const measured: Array<Record<Name, number>> = [];
  for (let round = 0; round <= rounds; round++) {
    const rates = {} as Record<Name, number>;
    const count = perConnection * (round === 0 ? WARM_UP : 1);
    for (const [name, contender] of round % 2 === 0 ? contenders : contenders.toReversed()) {
      const before = contender.cpuMs();
      await pour({ ...common, count, port: contender.port });
      rates[name] = (count * CONNECTIONS * each) / ((contender.cpuMs() - before) / 1000);
    }
    if (round > 0) measured.push(rates);
  }
  for (const [name, contender] of contenders) {
    const { received, retained, classes } = await contender.end<Counts>();
    const all = perConnection * CONNECTIONS * each * (WARM_UP + rounds);
    const counted = classes.reduce((sum, one) => sum + one, 0);
    if (received !== all || retained !== all || counted !== all) {
      throw new Error(`${name}: of ${all} entries ${received} were received, ${retained} retained, ${counted} counted`);
    }
  }
  const over = (managed: Name, unmanaged: readonly Name[]): number =>
    median(measured.map((rates) => rates[managed] / Math.max(...unmanaged.map((one) => rates[one]))));
  return {
    bytesPerEntry: (messages[0]?.length ?? 0) / each,
    rates: Object.fromEntries(
      contenders.map(([name]) => [name, median(measured.map((rates) => rates[name]))]),
    ) as Record<Name, number>,
    keep: over('keep', ['goKeep', 'goKeepPinned']),
    project: over('project', ['goProject', 'goProjectPinned']),
    full: over('full', ['goProject', 'goProjectPinned']),
    tail: over('tail', ['goProject', 'goProjectPinned']),
  };
}

export interface FloodResult {
  readonly sent: number;
  /** Received entries, and their outcome: `received = kept + filtered + dropped`. */
  readonly received: number;
  readonly retainedOrDropped: number;
  /** The ring: its entries, and the evicted ones. */
  readonly inRingOrEvicted: number;
  /** A slowly read tail: delivered, lost and waiting entries. */
  readonly deliveredOrLost: number;
  readonly retained: number;
  /** Resident memory before the flood, after the first third of it and at the end; the maximum of the last third. */
  readonly beforeMiB: number;
  readonly thirdMiB: number;
  readonly maxMiB: number;
  readonly cpuShare: number;
}

interface AgentCounts {
  readonly received: number;
  readonly retained: number;
  readonly filtered: number;
  readonly dropped: Readonly<Record<string, number>>;
  readonly ring: { readonly entries: number; readonly evicted: number };
  readonly tail: { readonly delivered: number; readonly lost: number; readonly waiting: number };
}

/** Entries of one source at a steady rate, in messages of 20, into a sink with an agent's limits. */
export async function alsFlood({
  perSecond,
  seconds,
}: {
  readonly perSecond: number;
  readonly seconds: number;
}): Promise<FloodResult> {
  const each = 20;
  const server = await Contender.start(sink('agent'));
  const connections = CONNECTIONS;
  const count = Math.ceil((perSecond * seconds) / each / connections);
  const beforeMiB = server.residentMiB();
  const seen: number[] = [];
  const watch = setInterval(() => seen.push(server.residentMiB()), (seconds * 1000) / 60);
  const [cpu, began] = [server.cpuMs(), performance.now()];
  await pour({
    path,
    port: server.port,
    connections,
    streams: STREAMS,
    first: identifier(),
    messages: logMessages(MESSAGES, each),
    count,
    perSecond: perSecond / each / connections,
  });
  clearInterval(watch);
  const cpuShare = (server.cpuMs() - cpu) / (performance.now() - began);
  const { received, retained, filtered, dropped, ring, tail } = await server.end<AgentCounts>();
  return {
    sent: count * connections * each,
    received,
    retained,
    retainedOrDropped: retained + filtered + Object.values(dropped).reduce((sum, one) => sum + one, 0),
    inRingOrEvicted: ring.entries + ring.evicted,
    deliveredOrLost: tail.delivered + tail.lost + tail.waiting,
    beforeMiB,
    thirdMiB: Math.max(...seen.slice(0, seen.length / 3)),
    maxMiB: Math.max(...seen.slice(-seen.length / 3)),
    cpuShare,
  };
}
