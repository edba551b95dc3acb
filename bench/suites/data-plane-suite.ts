/** Measurements of the agent's proxy side: access logs, floods of them, configuration. */
import type { AlsRates } from '../cases/als.ts';
import type { Compared } from '../cases/xds.ts';
import { runCase } from '../process/child.ts';
import { atLeast, atMost, type Figure, forInformation, mustBe } from '../results/report.ts';

interface Suite {
  readonly quick: boolean;
  /** Called before each case. */
  readonly progress: (what: string) => void;
}

const COUNTERS: ReadonlyArray<readonly [name: keyof AlsRates['rates'], what: string]> = [
  ['keep', 'counted, filtered, stored'],
  ['project', 'and 5 fields to a reader'],
  ['full', 'and all fields to a reader'],
  ['tail', 'and all of it to a live tail'],
  ['goKeep', 'grpc-go, counted, filtered, stored'],
  ['goKeepPinned', 'grpc-go, counted, filtered, stored, GOMAXPROCS=1'],
  ['goProject', 'grpc-go, and 5 fields to a reader'],
  ['goProjectPinned', 'grpc-go, and 5 fields to a reader, GOMAXPROCS=1'],
];

/** Entries per second of CPU compared with grpc-go with go-control-plane's messages. */
export async function accessLogs({ quick, progress }: Suite): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [each, least, projected] of [
    [1, 1, 1],
    [50, 1.2, 2],
    [100, 1.2, 2],
  ] as const) {
    progress(`access logs, ${each} entries a message`);
    const entries = (each === 1 ? 50_000 : 150_000) / (quick ? 5 : 1);
    const result = await runCase('alsRates', { each, entries, rounds: quick ? 3 : 5 });
    const of = `access logs, ${each} a message`;
    figures.push(
      atLeast(`${of}: counted, filtered, stored / the quicker grpc-go`, result.keep, least),
      atLeast(`${of}: and 5 fields to a reader / the quicker grpc-go`, result.project, projected),
      forInformation(`${of}: and all fields to a reader / the quicker grpc-go with 5`, result.full),
      forInformation(`${of}: and all of it to a live tail / the quicker grpc-go with 5`, result.tail),
      ...COUNTERS.map(([name, what]) => forInformation(`${of}: ${what}`, result.rates[name], 'entries/CPU-s')),
    );
  }
  return figures;
}

/** 20,000 entries a second of one source, with an agent's limits. */
export async function floods({ quick, progress }: Suite): Promise<Figure[]> {
  const seconds = quick ? 5 : 60;
  progress(`a flood of access logs for ${seconds} s`);
  const flood = await runCase('alsFlood', { perSecond: 20_000, seconds });
  const of = `20,000 entries a second for ${seconds} s`;
  return [
    mustBe(`${of}: stored, filtered or dropped of ${flood.sent} sent`, flood.retainedOrDropped, flood.sent),
    mustBe(`${of}: of those stored, in the ring or evicted`, flood.inRingOrEvicted, flood.retained),
    mustBe(
      `${of}: of those stored, delivered to a slow tail or lost with a count`,
      flood.deliveredOrLost,
      flood.retained,
    ),
    forInformation(`${of}: resident before`, flood.beforeMiB, 'MiB'),
    forInformation(`${of}: resident in the first third, at most`, flood.thirdMiB, 'MiB'),
    atMost(`${of}: resident in the last third, at most`, flood.maxMiB, flood.beforeMiB + FLOOD_MIB, 'MiB'),
    forInformation(`${of}: of one core`, flood.cpuShare),
  ];
}

/** Maximum memory of a flood in addition to the program: the ring of 64 MiB, and the young generation of V8's heap. */
const FLOOD_MIB = 300;

/** One endpoint changes, and all Envoys receive the change. */
export async function endpointPushes({ quick, progress }: Suite): Promise<Figure[]> {
  const [clusters, envoys] = quick ? [500, 20] : [5_000, 100];
  progress(`one endpoint of ${clusters} clusters changes for ${envoys} Envoys`);
  const result = await runCase('xdsChanges', { clusters, envoys, changes: quick ? 50 : 100, rounds: quick ? 2 : 5 });
  const of = `one endpoint of ${clusters} clusters x ${envoys} Envoys`;
  const compared = (what: string, { changeMs, bareMs }: Compared): Figure[] => [
    forInformation(`${of}: ${what}, CPU`, changeMs, 'ms'),
    forInformation(`${of}: ${what}, CPU of bare streams`, bareMs, 'ms'),
  ];
  return [
    atMost(`${of}: sent / the same bytes written on bare streams`, result.reported.ratio, 2),
    forInformation(`${of}: sent and acknowledged / the same on bare streams`, result.acknowledged.ratio),
    ...compared('sent', result.reported),
    ...compared('sent and acknowledged', result.acknowledged),
    mustBe(`${of}: messages to each Envoy`, result.messagesPerChange, 1),
    mustBe(`${of}: resources to each Envoy`, result.resourcesPerChange, 1),
  ];
}
