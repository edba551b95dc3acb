/** Output of a run: a line per row, the recovery figures, and the sum. */
import type { CanaryResult } from '../canaries/check.ts';
import type { LoadResult } from '../load/load.ts';
import type { Row } from '../trial/row.ts';
import type { RowResult } from './run-rows.ts';
import { seconds, summary } from './times.ts';

/** Maximum number of violations printed per row. */
const SHOWN = 12;

/** `F1  survived  the leading agent is killed (new leader 3.1 s)`, and below it the violations. */
export function lineOf({ row, violations, measured, milliseconds }: RowResult): string {
  const result = violations.length === 0 ? 'survived' : 'VIOLATED';
  const figures = [...measured].map(([what, times]) => `${what} ${seconds(Math.max(...times))}`);
  const details = [...figures, `${seconds(milliseconds)} in all`].join(', ');
  const head = `${row.id.padEnd(5)} ${result}  ${row.title} (${details})`;
  const more = violations.length > SHOWN ? [`and ${violations.length - SHOWN} more`] : [];
  return [head, ...[...violations.slice(0, SHOWN), ...more].map((line) => `        ${line}`)].join('\n');
}

/** `T14   survived  41 secrets are in none of 33 places`. */
export function canaryLine({ markers, places, leaks }: CanaryResult): string {
  const result = leaks.length === 0 ? 'survived' : 'VIOLATED';
  const head = `T14   ${result}  ${markers} secrets in ${places} places: logs, objects, metrics, APIs, snapshots`;
  return [head, ...leaks.map((leak) => `        ${leak}`)].join('\n');
}

/** `LOAD  survived  200 agents on 3 servers, …`. */
export function loadLine(load: LoadResult, violations: readonly string[]): string {
  const { plan, deltas, answers, herd, firstSync, serverMemory, lost, loopDelays, leasePause } = load;
  const late = (of: 'p99' | 'max'): string => `${Math.round(Math.max(...loopDelays.map((delay) => delay[of])))} ms`;
  const result = violations.length === 0 ? 'survived' : 'VIOLATED';
  const mebibytes = Math.round(Math.max(...serverMemory) / 1024 ** 2);
  const head = [
    `LOAD  ${result}  ${plan.agents} agents on ${plan.servers} servers, ${plan.objects} objects each`,
    `first sync in ${seconds(firstSync)}`,
    `${deltas} changes in ${plan.seconds} s, answered in p50 ${seconds(answers.p50)}, p99 ${seconds(answers.p99)}`,
    `all back ${seconds(herd)} after their servers were`,
    `${lost} lost`,
    `a server's event loop late by p99 ${late('p99')}, at most ${late('max')}`,
    `the Lease renewed after at most ${seconds(leasePause)}`,
    `a server holds ${mebibytes} MiB`,
  ].join(', ');
  return [head, ...violations.map((what) => `        ${what}`)].join('\n');
}

/** Recovery times over all runs: `new leader: p50 3.1 s, max 4.0 s, of 3`. */
export function recoveryLines(results: readonly RowResult[]): string[] {
  const times = new Map<string, number[]>();
  for (const { measured, scale } of results) {
    for (const [what, each] of measured) {
      const key = `${what} (${scale})`;
      times.set(key, [...(times.get(key) ?? []), ...each]);
    }
  }
  return [...times].map(([what, each]) => {
    const { p50, max } = summary(each);
    return `${what}: p50 ${seconds(p50)}, max ${seconds(max)}, of ${each.length}`;
  });
}

/** The partial result of a run. */
export interface Run {
  readonly results: readonly RowResult[];
  readonly canaries: readonly CanaryResult[];
  readonly load: LoadResult | undefined;
  /** Rows that do not run, with the reason. */
  readonly skipped: Readonly<Record<string, string>>;
  /** Whether the run is complete. */
  readonly finished: boolean;
  /** The machine on which it ran. */
  readonly host: object;
}

/** The JSON record of a run. */
export function document(command: string, { results, canaries, load, skipped, finished, host }: Run): object {
  const perRow = (row: Row): object => {
    const own = results.filter((result) => result.row === row);
    const measured = [...new Set(own.flatMap((result) => [...result.measured.keys()]))].map((what) => {
      const times = own.flatMap((result) => result.measured.get(what) ?? []);
      return [what, { ...rounded(summary(times)), runs: times.length }] as const;
    });
    return {
      id: row.id,
      title: row.title,
      scale: own[0]?.scale,
      runs: own.length,
      survived: own.filter(({ violations }) => violations.length === 0).length,
      violations: own.flatMap(({ violations }) => violations),
      milliseconds: Object.fromEntries(measured),
    };
  };
  return {
    command,
    host,
    finished,
    rows: [...new Set(results.map(({ row }) => row))].map(perRow),
    ...(load === undefined ? {} : { load }),
    secrets: canaries,
    skipped,
  };
}

function rounded({ p50, max }: { readonly p50: number; readonly max: number }): { p50: number; max: number } {
  return { p50: Math.round(p50), max: Math.round(max) };
}
