/** `npm run test:faults`: every row of the fault matrix, with real processes. Ends with one line: `N passed, N failed`. */
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { type CanaryResult, checkCanaries } from './src/canaries/check.ts';
import { plantSecrets } from './src/canaries/markers.ts';
import type { FaultFleet } from './src/fleet/fault-fleet.ts';
import { WHOLE } from './src/fleet/plans.ts';
import { FULL, SHORT } from './src/fleet/scale.ts';
import { NOT_YET, ROWS } from './src/rows/all.ts';
import { leaderKilled } from './src/rows/f01-leader-killed.ts';
import { canaryLine, document, lineOf, recoveryLines } from './src/run/report.ts';
import { type RowResult, runRows } from './src/run/run-rows.ts';

const USAGE = `usage: npm run test:faults [-- [--full] [--repeat N] [--result FILE] [ROW...]]

  ROW             a row of the fault matrix, such as F1; all unless told
  --full          with times as in production, not shortened
  --repeat N      each row so often
  --result FILE   write what was measured there, as JSON
`;

async function main(argv: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      full: { type: 'boolean' },
      repeat: { type: 'string' },
      result: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help === true) {
    process.stdout.write(USAGE);
    return 0;
  }
  const unknown = positionals.filter((id) => !ROWS.some((row) => row.id === id));
  if (unknown.length > 0)
    throw new Error(`no row ${unknown.join(', ')}; there are ${ROWS.map(({ id }) => id).join(', ')}`);
  const base = values.full === true ? FULL : SHORT;
  const scale = values.repeat === undefined ? base : { ...base, repeat: Number(values.repeat) };
  const rows = ROWS.filter(({ id }) =>
    positionals.length === 0 ? NOT_YET[id] === undefined : positionals.includes(id),
  );
  const print = (line: string): void => void process.stdout.write(`${line}\n`);
  const signal = stopOnSignal();
  const ended = (result: RowResult): void => print(lineOf(result));
  const kept = (folder: string): void => print(`        logs are kept in ${relative('', folder)}`);
  const canaries: CanaryResult[] = [];
  const planted = new WeakMap<FaultFleet, readonly string[]>();
  const common = {
    plan: WHOLE,
    signal,
    ended,
    kept,
    started: (fleet: FaultFleet) => void planted.set(fleet, plantSecrets(fleet)),
    ending: async (fleet: FaultFleet) => {
      const result = await checkCanaries(fleet, planted.get(fleet) ?? []);
      canaries.push(result);
      print(canaryLine(result));
    },
  };
  const results = [...(await runRows({ ...common, rows, scale }))];
  // Everything else in short runs stands on Leases that are as long as in production behaving the same.
  if (positionals.length === 0 && scale.name === 'short')
    results.push(...(await runRows({ ...common, rows: [leaderKilled], scale: { ...FULL, repeat: 1 } })));
  const skipped = positionals.length === 0 ? NOT_YET : {};
  for (const [id, reason] of Object.entries(skipped)) print(`${id.padEnd(5)} skipped   not yet: ${reason}`);
  for (const line of recoveryLines(results)) print(line);
  if (values.result !== undefined)
    writeFileSync(
      values.result,
      `${JSON.stringify(document(results, skipped, `npm run test:faults -- ${argv.join(' ')}`), undefined, 2)}\n`,
    );
  return sum(results, canaries, Object.keys(skipped).length, print);
}

function sum(
  results: readonly RowResult[],
  canaries: readonly CanaryResult[],
  skipped: number,
  print: (line: string) => void,
): number {
  const verdicts = [...results.map(({ violations }) => violations), ...canaries.map(({ leaks }) => leaks)];
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
  process.stdout.write(`${error instanceof Error ? error.message : String(error)}\n${USAGE}0 passed, 1 failed\n`);
  process.exitCode = 1;
}
