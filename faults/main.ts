/**
 * `npm run test:faults`: runs every row of the fault matrix with real processes. The last line is `N passed, N failed`.
 */
import { relative } from 'node:path';
import process from 'node:process';
import { type CanaryResult, checkCanaries } from './src/canaries/check.ts';
import { plantSecrets } from './src/canaries/markers.ts';
import type { FaultFleet } from './src/fleet/fault-fleet.ts';
import { DIRECT, type FleetPlan, SHARED, WHOLE } from './src/fleet/plans.ts';
import { FULL, type Scale } from './src/fleet/scale.ts';
import { type LoadResult, runLoad } from './src/load/load.ts';
import { NOT_YET, ROWS } from './src/rows/all.ts';
import { leaderKilled } from './src/rows/f01-leader-killed.ts';
import { evaluateLoad } from './src/run/evaluate-load.ts';
import { type Options, readOptions, USAGE } from './src/run/options.ts';
import { canaryLine, lineOf, loadLine, recoveryLines } from './src/run/report.ts';
import { ResultFile } from './src/run/result-file.ts';
import { type RowResult, runRows } from './src/run/run-rows.ts';
import type { Row } from './src/trial/row.ts';

const print = (line: string): void => void process.stdout.write(`${line}\n`);

async function main(argv: readonly string[]): Promise<number> {
  const options = readOptions(argv, { all: ROWS, notYet: NOT_YET });
  if (options.help) {
    print(USAGE);
    return 0;
  }
  const signal = stopOnSignal();
  const { skipped } = options;
  const file = new ResultFile(options.result, argv);
  const { load, violations: overload } = await tryLoad(options, signal);
  const {
    results,
    violations: rows,
    canaries,
  } = await tryRows(options, signal, (tried) => file.keep({ ...tried, load, skipped, finished: false }));
  for (const [id, reason] of Object.entries(options.skipped)) print(`${id.padEnd(5)} skipped   not yet: ${reason}`);
  for (const line of recoveryLines(results)) print(line);
  file.keep({ results, canaries, load, skipped, finished: true });
  const violations = [
    ...rows.map(({ violations }) => violations.length === 0),
    ...canaries.map(({ leaks }) => leaks.length === 0),
    ...(load === undefined ? [] : [overload.length === 0]),
  ];
  return sum(violations, rows, Object.keys(options.skipped).length);
}

interface TriedLoad {
  readonly load: LoadResult | undefined;
  readonly violations: readonly string[];
}

/** The load, if requested. */
async function tryLoad({ load: plan, scale }: Options, signal: AbortSignal): Promise<TriedLoad> {
  if (plan === undefined) return { load: undefined, violations: [] };
  const load = await runLoad(plan, signal);
  const violations = evaluateLoad(load, scale.slack);
  print(loadLine(load, violations));
  return { load, violations };
}

interface Tried {
  /** Every run of a row. */
  readonly results: readonly RowResult[];
  readonly canaries: readonly CanaryResult[];
}

interface Violations extends Tried {
  /** The sum: one result for each requested run. */
  readonly violations: readonly RowResult[];
}

/** The requested rows, and the canaries of every fleet. `soFar` is called at the beginning and after each row. */
async function tryRows(
  { rows, scale, everything }: Options,
  signal: AbortSignal,
  soFar: (tried: Tried) => void,
): Promise<Violations> {
  const canaries: CanaryResult[] = [];
  const ended: RowResult[] = [];
  soFar({ results: ended, canaries });
  const planted = new WeakMap<FaultFleet, readonly string[]>();
  const common = {
    signal,
    ended: (result: RowResult) => {
      print(lineOf(result));
      ended.push(result);
      soFar({ results: ended, canaries });
    },
    retained: (folder: string) => print(`        logs are in ${relative('', folder)}`),
    started: (fleet: FaultFleet) => void planted.set(fleet, plantSecrets(fleet)),
    ending: async (fleet: FaultFleet) => {
      const result = await checkCanaries(fleet, planted.get(fleet) ?? []);
      canaries.push(result);
      print(canaryLine(result));
    },
  };
  const violations: RowResult[] = [];
  const on = async (plan: FleetPlan, scale: Scale, some: readonly Row[]): Promise<void> => {
    // All rows, then all again: the same fault twice in a row would meet backoff that has grown since the first time.
    const runs = Array.from({ length: scale.repeat }, () => some).flat();
    violations.push(...(await runRows({ ...common, rows: runs, plan, scale })));
  };
  const of = (kind: Row['fleet']): readonly Row[] => rows.filter(({ fleet }) => fleet === kind);
  await on(WHOLE, scale, of(undefined));
  await on(SHARED, scale, of('shared'));
  await on(DIRECT, scale, of('direct'));
  // Everything else in short runs relies on production-length Leases behaving the same.
  if (everything && scale.name === 'short') await on(WHOLE, { ...FULL, slack: scale.slack, repeat: 1 }, [leaderKilled]);
  return { results: ended, violations, canaries };
}

function sum(violations: readonly boolean[], results: readonly RowResult[], skipped: number): number {
  const passed = violations.filter((survived) => survived).length;
  const failed = violations.length - passed;
  const survived = results.filter(({ violations }) => violations.length === 0).length;
  print(`${survived} of ${results.length} survived${skipped === 0 ? '' : `, ${skipped} skipped`}`);
  print(`${passed} passed, ${failed} failed`);
  return failed === 0 && passed > 0 ? 0 : 1;
}

/** Aborted by a signal that requests the end, so that every started process is ended. */
function stopOnSignal(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => stop.abort(new Error(`ended by ${signal}`)));
  return stop.signal;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  print(`${error instanceof Error ? error.message : String(error)}\n${USAGE}\n0 passed, 1 failed`);
  process.exitCode = 1;
}
// Every started process has ended by now; a timer or socket that a library still holds must not delay the exit.
process.exit();
