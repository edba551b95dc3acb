/** `npm run test:faults`: every row of the fault matrix, with real processes. Ends with one line: `N passed, N failed`. */
import { relative } from 'node:path';
import process from 'node:process';
import { type CanaryResult, checkCanaries } from './src/canaries/check.ts';
import { plantSecrets } from './src/canaries/markers.ts';
import type { FaultFleet } from './src/fleet/fault-fleet.ts';
import { DIRECT, SHARED, WHOLE } from './src/fleet/plans.ts';
import { FULL } from './src/fleet/scale.ts';
import { runLoad } from './src/load/load.ts';
import { leaderKilled } from './src/rows/f01-leader-killed.ts';
import { judgeLoad } from './src/run/judge-load.ts';
import { type Options, readOptions, USAGE } from './src/run/options.ts';
import { canaryLine, lineOf, loadLine, recoveryLines } from './src/run/report.ts';
import { ResultFile } from './src/run/result-file.ts';
import { type RowResult, runRows } from './src/run/run-rows.ts';

const print = (line: string): void => void process.stdout.write(`${line}\n`);

async function main(argv: readonly string[]): Promise<number> {
  const options = readOptions(argv);
  if (options.help) {
    print(USAGE);
    return 0;
  }
  const signal = stopOnSignal();
  const { skipped } = options;
  const file = new ResultFile(options.result, argv);
  const load = options.load === undefined ? undefined : await runLoad(options.load, signal);
  const overload = load === undefined ? [] : judgeLoad(load, options.scale.slack);
  if (load !== undefined) print(loadLine(load, overload));
  const { results, canaries } = await tryRows(options, signal, (tried) =>
    file.keep({ ...tried, load, skipped, finished: false }),
  );
  for (const [id, reason] of Object.entries(options.skipped)) print(`${id.padEnd(5)} skipped   not yet: ${reason}`);
  for (const line of recoveryLines(results)) print(line);
  file.keep({ results, canaries, load, skipped, finished: true });
  const verdicts = [
    ...results.map(({ violations }) => violations),
    ...canaries.map(({ leaks }) => leaks),
    ...(load === undefined ? [] : [overload]),
  ];
  return sum(verdicts, results, Object.keys(options.skipped).length);
}

interface Tried {
  readonly results: readonly RowResult[];
  readonly canaries: readonly CanaryResult[];
}

/** The rows that are asked for, and the canaries of every fleet. `soFar` is told at the beginning and after each row. */
async function tryRows(
  { rows, scale, everything }: Options,
  signal: AbortSignal,
  soFar: (tried: Tried) => void,
): Promise<Tried> {
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
    kept: (folder: string) => print(`        logs are kept in ${relative('', folder)}`),
    started: (fleet: FaultFleet) => void planted.set(fleet, plantSecrets(fleet)),
    ending: async (fleet: FaultFleet) => {
      const result = await checkCanaries(fleet, planted.get(fleet) ?? []);
      canaries.push(result);
      print(canaryLine(result));
    },
  };
  const alone = rows.filter(({ fleet }) => fleet === undefined);
  const shared = rows.filter(({ fleet }) => fleet === 'shared');
  const direct = rows.filter(({ fleet }) => fleet === 'direct');
  await runRows({ ...common, rows: alone, plan: WHOLE, scale });
  await runRows({ ...common, rows: shared, plan: SHARED, scale });
  await runRows({ ...common, rows: direct, plan: DIRECT, scale });
  // Everything else in short runs stands on Leases that are as long as in production behaving the same.
  if (everything && scale.name === 'short')
    await runRows({ ...common, rows: [leaderKilled], plan: WHOLE, scale: { ...FULL, repeat: 1 } });
  return { results: ended, canaries };
}

function sum(verdicts: ReadonlyArray<readonly string[]>, results: readonly RowResult[], skipped: number): number {
  const failed = verdicts.filter(({ length }) => length > 0).length;
  const passed = verdicts.length - failed;
  const survived = results.filter(({ violations }) => violations.length === 0).length;
  print(`${survived} of ${results.length} survived${skipped === 0 ? '' : `, ${skipped} skipped`}`);
  print(`${passed} passed, ${failed} failed`);
  return failed === 0 && passed > 0 ? 0 : 1;
}

/** Aborted by a signal that asks for an end, so that everything that was started is ended. */
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
// Everything that was started has been ended by now; a timer or socket that a library still holds must not keep whoever waits for the verdict.
process.exit();
