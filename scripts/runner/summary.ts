/** Output about failed files, and at the end of a run. */
import type { FileResult } from './worker-process.ts';

const SLOWEST = 10;

/** A failed file: its complete output, and its problems. */
export function describeFailedFile(result: FileResult): string {
  const seconds = (result.milliseconds / 1000).toFixed(1);
  const output = result.output.trimEnd();
  return [
    `  ${nameOf(result)}: ${result.passed} passed, ${result.failed} FAILED (${seconds} s)`,
    ...(output === '' ? [] : output.split('\n')).map((text) => `    | ${text}`),
    ...result.problems.map((problem) => `    ${problem}`),
  ].join('\n');
}

/**
 * The end of a run: skipped tests by reason, the slowest files, seconds by runtime, all failures, and the closing line,
 * alone.
 */
export function describeTotal(results: readonly FileResult[], milliseconds: number): string {
  const sum = (of: 'passed' | 'failed'): number => results.reduce((total, result) => total + result[of], 0);
  return [
    ...describeSkips(results),
    ...describeSlowest(results),
    ...describeRuntimes(results, milliseconds),
    ...results.flatMap(describeFailures),
    `${sum('passed')} passed, ${sum('failed')} failed`,
  ].join('\n');
}

function nameOf({ file, lane }: FileResult): string {
  return `${file} (${lane})`;
}

function describeFailures(result: FileResult): string[] {
  if (result.failed === 0) return [];
  const tests = result.failures.map(({ name, message, at = result.file }) => `${at}: ${name}: ${message}`);
  const problems = result.problems.map((problem) => `${result.file}: ${problem}`);
  const lines = [...tests, ...problems];
  return (lines.length > 0 ? lines : [`${result.file}: a hook threw`]).map((line) => `FAILED (${result.lane}) ${line}`);
}

function describeSkips(results: readonly FileResult[]): string[] {
  const reasons = new Map<string, number>();
  for (const reason of results.flatMap((result) => result.skips)) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  const total = results.reduce((sum, result) => sum + result.skipped, 0);
  if (total === 0) return [];
  return [`${total} skipped`, ...[...reasons].map(([reason, count]) => `  ${count} x ${reason}`)];
}

function describeSlowest(results: readonly FileResult[]): string[] {
  if (results.length <= SLOWEST) return [];
  const slowest = results.toSorted((a, b) => b.milliseconds - a.milliseconds).slice(0, SLOWEST);
  return ['slowest files:', ...slowest.map((result) => `  ${timesOf(result)} ${nameOf(result)}`)];
}

function timesOf({ milliseconds, cpuSeconds }: Pick<FileResult, 'milliseconds' | 'cpuSeconds'>): string {
  return `${(milliseconds / 1000).toFixed(1).padStart(5)} s, ${cpuSeconds.toFixed(1).padStart(5)} s of CPU`;
}

function describeRuntimes(results: readonly FileResult[], milliseconds: number): string[] {
  const runtimes = [...new Set(results.map(({ lane }) => lane))].map((lane) => {
    const own = results.filter((result) => result.lane === lane);
    const total = (of: 'milliseconds' | 'cpuSeconds'): number => own.reduce((sum, result) => sum + result[of], 0);
    const times = timesOf({ milliseconds: total('milliseconds'), cpuSeconds: total('cpuSeconds') });
    return `${lane}: ${own.length} ${own.length === 1 ? 'file' : 'files'},${times}`;
  });
  return [...runtimes, `${(milliseconds / 1000).toFixed(1)} s in all`];
}
