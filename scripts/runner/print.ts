/** How results look on the terminal and in a CI log. */
import type { FileResult } from './run-file.ts';

/** One line for a file; below it, when something failed, everything the file wrote and what is wrong with it. */
export function describeFile(result: FileResult): string {
  const counts = [
    `${result.passed} passed`,
    ...(result.failed > 0 ? [`${result.failed} FAILED`] : []),
    ...(result.skipped > 0 ? [`${result.skipped} skipped`] : []),
  ].join(', ');
  const line = `  ${result.file}: ${counts} (${(result.milliseconds / 1000).toFixed(1)} s)`;
  if (result.failed === 0) return line;
  const output = result.output.trimEnd();
  return [
    line,
    ...(output === '' ? [] : output.split('\n')).map((text) => `    | ${text}`),
    ...problemsOf(result),
  ].join('\n');
}

/** The end of a run: skipped work by reason, what failed once more, and the closing line, alone. */
export function describeTotal(results: readonly FileResult[]): string {
  const sum = (of: 'passed' | 'failed'): number => results.reduce((total, result) => total + result[of], 0);
  const failed = results.filter((result) => result.failed > 0);
  return [
    ...describeSkips(results),
    ...results.flatMap(describeChance),
    ...failed.flatMap((result) => [`FAILED ${result.file}: ${result.failed}`, ...problemsOf(result)]),
    `${sum('passed')} passed, ${sum('failed')} failed`,
  ].join('\n');
}

function problemsOf(result: FileResult): string[] {
  return result.problems.map((problem) => `    ${problem}`);
}

function describeSkips(results: readonly FileResult[]): string[] {
  const reasons = new Map<string, number>();
  for (const reason of results.flatMap((result) => result.skips)) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  const total = results.reduce((sum, result) => sum + result.skipped, 0);
  if (total === 0) return [];
  return [`${total} skipped`, ...[...reasons].map(([reason, count]) => `  ${count} x ${reason}`)];
}

function describeChance({ file, failed, failedFirst = 0 }: FileResult): string[] {
  return failedFirst > 0 && failed === 0 ? [`PASSED ONLY WHEN RUN AGAIN ${file}: ${failedFirst} failed before`] : [];
}
