/** Which cases run on which fleets, and the targets of their results. */
import { clusterSize } from '../cases/cluster-size.ts';
import { demo } from '../cases/demo.ts';
import { fleet, label } from '../fleet/shape.ts';
import { logLogSlope, median } from '../measure.ts';
import { runCase } from '../process/child.ts';
import { atMost, type Figure, forInformation, mustBe } from '../results/report.ts';
import { edits, federatedJoins, joins, virtualDestinationEdits, workspaceEdits } from './change-suite.ts';
import { accessLogs, endpointPushes, floods } from './data-plane-suite.ts';
import { propagations, relays } from './relay-suite.ts';

export interface SuiteOptions {
  /** Smaller fleets and fewer repetitions: a check that everything works, without quotable figures. */
  readonly quick: boolean;
  /** The parts to run, in this order; omitted: all. */
  readonly only?: readonly Part[];
  /** Called before each case. */
  readonly progress: (what: string) => void;
  /** Called with the figures of each part when it ends, so that a later part that fails does not lose them. */
  readonly measured: (figures: readonly Figure[]) => void;
}

export interface SuiteResult {
  readonly fleets: Readonly<Record<string, string>>;
  readonly figures: readonly Figure[];
}

type Suite = SuiteOptions & { readonly fleets: Record<string, string> };

export async function runSuite(options: SuiteOptions): Promise<SuiteResult> {
  const fleets: Record<string, string> = {};
  const suite: Suite = { ...options, fleets };
  const figures: Figure[] = [];
  for (const part of options.only ?? PARTS) {
    const measured = await RUN[part](suite);
    options.measured(measured);
    figures.push(...measured);
  }
  return { fleets, figures };
}

export type Part =
  | 'edits'
  | 'workspaces'
  | 'failover'
  | 'cold'
  | 'memory'
  | 'endpoints'
  | 'joins'
  | 'federation'
  | 'pods'
  | 'relay'
  | 'propagation'
  | 'als'
  | 'flood'
  | 'xds'
  | 'cluster'
  | 'demo';

const RUN: Readonly<Record<Part, (suite: Suite) => Promise<Figure[]>>> = {
  edits,
  workspaces: workspaceEdits,
  failover: virtualDestinationEdits,
  cold: coldStarts,
  memory: memoryUse,
  endpoints: endpointChanges,
  joins,
  federation: federatedJoins,
  pods: podChanges,
  relay: relays,
  propagation: propagations,
  als: accessLogs,
  flood: floods,
  xds: endpointPushes,
  cluster: clusterSizes,
  demo: demos,
};

export const PARTS: readonly Part[] = Object.keys(RUN) as Part[];

async function coldStarts({ quick, progress, fleets }: Suite): Promise<Figure[]> {
  const figures: Figure[] = [];
  const shapes = quick ? [fleet(1, 1_000, 1_000)] : [fleet(1, 10_000, 1_000), fleet(10, 10_000, 1_000, 5)];
  for (const shape of shapes) {
    progress(`cold translation of ${label(shape)}`);
    const ledgers = await runCase('ledgersOf', { shape });
    const restarts = [];
    const firsts = [];
    for (let round = 0; round < (quick ? 1 : 5); round++) {
      restarts.push(await runCase('cold', { shape, ledgers }));
      firsts.push(await runCase('cold', { shape }));
    }
    const [one] = restarts;
    if (one === undefined) throw new Error('no cold start was measured');
    fleets[label(shape)] = one.checksum;
    const of = `cold translation of ${label(shape)}`;
    const cpu = median(restarts.map(({ coldCpuMs }) => coldCpuMs));
    const first = median(firsts.map(({ coldCpuMs }) => coldCpuMs));
    const isTarget = shape.services === 10_000 && shape.exportEvery === 0;
    figures.push(
      isTarget ? atMost(`${of}: CPU`, cpu / 1000, 1.5, 's') : forInformation(`${of}: CPU`, cpu / 1000, 's'),
      isTarget
        ? atMost(`${of}: ${TIMES_THE_FLOOR}`, median(restarts.map(timesTheFloor)), 3)
        : forInformation(`${of}: ${TIMES_THE_FLOOR}`, median(restarts.map(timesTheFloor))),
      forInformation(`${of}: JSON.parse + SHA-256`, median(restarts.map(({ floorCpuMs }) => floorCpuMs)) / 1000, 's'),
      forInformation(`${of}: inputs`, one.inputMiB, 'MiB'),
      forInformation(`${of}: outputs`, one.outputs),
      forInformation(`${of}: peak RSS`, median(restarts.map(({ peakRssMiB }) => peakRssMiB)), 'MiB'),
      forInformation(
        `${of}: CPU to show it in the management cluster besides`,
        median(restarts.map(({ shownCpuMs }) => shownCpuMs)) / 1000,
        's',
      ),
      forInformation(`${of}: CPU of the very first start, with all decisions to make`, first / 1000, 's'),
      mustBe(
        `${of}: every run gave the same bytes`,
        new Set([...restarts, ...firsts].map(({ digest }) => digest)).size,
        1,
      ),
    );
  }
  return figures;
}

const TIMES_THE_FLOOR = 'CPU / (JSON.parse + SHA-256 of its inputs)';

function timesTheFloor({ coldCpuMs, floorCpuMs }: { coldCpuMs: number; floorCpuMs: number }): number {
  return coldCpuMs / floorCpuMs;
}

async function memoryUse({ quick, progress, fleets }: Suite): Promise<Figure[]> {
  const figures: Figure[] = [];
  const alone = quick ? fleet(10, 3_000, 1_000) : fleet(100, 30_000, 1_000);
  // Where clusters federate services, most of the memory is outputs, many for each input object.
  const federated = quick ? fleet(4, 1_000, 1_000, 5) : fleet(10, 10_000, 1_000, 5);
  for (const shape of [alone, federated]) {
    progress(`memory of ${label(shape)}`);
    const { checksum, liveMiB, programMiB, inputMiB, outputs } = await runCase('memory', { shape });
    fleets[label(shape)] = checksum;
    const of = `memory of ${label(shape)}`;
    const ratio = `${of}: (live heap + external) / JSON of its inputs`;
    figures.push(
      shape === alone ? atMost(ratio, liveMiB / inputMiB, 1.5) : forInformation(ratio, liveMiB / inputMiB),
      forInformation(`${of}: live heap + external`, liveMiB, 'MiB'),
      forInformation(`${of}: of that the program itself`, programMiB, 'MiB'),
      forInformation(`${of}: inputs`, inputMiB, 'MiB'),
      forInformation(`${of}: outputs`, outputs),
    );
  }
  return figures;
}

async function endpointChanges({ quick, progress }: Suite): Promise<Figure[]> {
  const shape = fleet(4, quick ? 1_000 : 10_000, 1_000, 5);
  progress(`endpoint changes in ${label(shape)}`);
  const result = await runCase('endpoints', { shape, changes: 200 });
  return [
    forInformation('one endpoint change: CPU', result.cpuMsPerChange, 'ms'),
    mustBe('200 endpoint changes: views translated again', result.translated, 0),
    forInformation('one endpoint change: runs of all nodes', result.runsPerChange),
    mustBe('200 endpoint changes: outputs are the same bytes', result.outputsUnchanged, true),
  ];
}

async function podChanges({ quick, progress }: Suite): Promise<Figure[]> {
  const figures: Figure[] = [];
  const points: Array<{ x: number; y: number }> = [];
  for (const pods of quick ? [500, 2_000] : [500, 5_000, 50_000]) {
    progress(`pod changes in a cluster of ${pods}`);
    const result = await runCase('discovery', { pods, changes: 500 });
    points.push({ x: pods, y: result.cpuMsPerChange });
    figures.push(
      forInformation(`discovery, one pod of ${pods} changes: CPU`, result.cpuMsPerChange, 'ms'),
      forInformation(`discovery, one pod of ${pods} changes: runs of all nodes`, result.runsPerChange),
      forInformation(`discovery of ${pods} pods: CPU`, result.coldCpuMs / 1000, 's'),
    );
  }
  return [atMost('discovery, one pod changes: log-log slope of CPU over pods', logLogSlope(points), 0.1), ...figures];
}

/** An agent next to istiod in a large cluster. Both are processes of their own. */
async function clusterSizes({ quick, progress }: Suite): Promise<Figure[]> {
  const size = quick ? { nodes: 100, pods: 1_000, seconds: 10 } : { nodes: 1_000, pods: 10_000, seconds: 60 };
  const { agent, istiod, agentCoresAtRest } = await clusterSize({ ...size, podChangesPerSecond: 10 }, progress);
  const of = `cluster of ${size.nodes} nodes and ${size.pods} pods`;
  return [
    atMost(`${of}: resident memory of the agent / of istiod`, agent.residentMiB / istiod.residentMiB, 0.5),
    forInformation(`${of}: resident memory of the agent`, agent.residentMiB, 'MiB'),
    forInformation(`${of}: resident memory of istiod`, istiod.residentMiB, 'MiB'),
    atMost(`${of}: from the agent's start to the server's snapshot`, agent.secondsToStart, 15, 's'),
    forInformation(`${of}: CPU of the agent for it`, agent.startCpuSeconds, 's'),
    forInformation(`${of}: from istiod's start to ready`, istiod.secondsToStart, 's'),
    forInformation(`${of}: CPU of istiod for it`, istiod.startCpuSeconds, 's'),
    atMost(`${of}, 10 pods replaced a second: cores of the agent`, agent.cores, 0.03),
    forInformation(`${of}, 10 pods replaced a second: cores of istiod`, istiod.cores),
    forInformation(`${of}, at rest: cores of the agent`, agentCoresAtRest),
    forInformation(`${of}, 10 pods replaced a second: API requests of the agent a minute`, agent.apiRequestsPerMinute),
    forInformation(`${of}, 10 pods replaced a second: API requests of istiod a minute`, istiod.apiRequestsPerMinute),
  ];
}

/** The demo starts its own processes, so it needs no case process. */
export async function demos({ quick, progress }: Pick<Suite, 'quick' | 'progress'>): Promise<Figure[]> {
  const runs = [];
  for (let round = 0; round < (quick ? 1 : 10); round++) {
    progress(`demo, run ${round + 1}`);
    runs.push(await demo());
  }
  const seconds = runs.map((run) => run.seconds);
  const peaks = runs.flatMap(({ peakPssMiB }) => peakPssMiB ?? []);
  const of = `demo, ${runs.length} runs`;
  return [
    atMost(`${of}: seconds until converged, at most`, Math.max(...seconds), 20, 's'),
    forInformation(`${of}: seconds until converged, median`, median(seconds), 's'),
    forInformation(
      `${of}: from the first policy to the last object, at most`,
      Math.max(...runs.map((run) => run.secondsToConverge)),
      's',
    ),
    ...(peaks.length === 0
      ? []
      : [atMost(`${of}: summed PSS of all processes, at most`, Math.max(...peaks), 1_430, 'MiB')]),
    forInformation(
      `${of}: from SIGTERM to the end of everything, at most`,
      Math.max(...runs.map((run) => run.secondsToEnd)),
      's',
    ),
  ];
}
