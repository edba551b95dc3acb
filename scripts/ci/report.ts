/** Output of CI. */
import type { SuiteResult } from './run-suites.ts';

const MAX_LINES_OF_FAILURE = 12;
const MAX_LINE = 400;
/** Lines of a log that show why a suite failed. */
const SHOWS_CAUSE = /FAIL|VIOLATED|not converged|error TS|broken|waited \d+ ms|is refused|mutant .* not|rror:/;

/** The complete output of a suite, and its closing line. */
export function describeSuite(result: SuiteResult): string {
  const { title, passed, failed, exitCode, seconds } = result;
  return `\n=== ${title}\n${result.output.trimEnd()}\n--- ${title}: ${passed} passed, ${failed} failed, exit code ${exitCode}, ${seconds.toFixed(0)} s`;
}

/** The end: why suites failed, all suites with the slowest first, and the sum alone on the last line. */
export function describeResults(results: readonly SuiteResult[], seconds: number): string {
  const sum = (of: 'passed' | 'failed' | 'cpuSeconds'): number => results.reduce((total, each) => total + each[of], 0);
  const failed = results.filter((result) => result.failed > 0);
  const rows = results.toSorted((a, b) => b.seconds - a.seconds).map(rowOf);
  return [
    ...(failed.length === 0 ? [] : ['', '=== what failed', ...failed.flatMap(describeFailure)]),
    '',
    `${'suite'.padEnd(18)}${['tests', 'failed', 'seconds', 'CPU s'].map((name) => name.padStart(9)).join('')}`,
    ...rows,
    rowOf({ title: 'all', passed: sum('passed'), failed: sum('failed'), seconds, cpuSeconds: sum('cpuSeconds') }),
    '',
    `${sum('passed')} passed, ${sum('failed')} failed`,
  ].join('\n');
}

function rowOf({
  title,
  passed,
  failed,
  seconds,
  cpuSeconds,
}: Pick<SuiteResult, 'title' | 'passed' | 'failed' | 'seconds' | 'cpuSeconds'>): string {
  const numbers = [passed + failed, failed, Math.round(seconds), Math.round(cpuSeconds)];
  return `${title.padEnd(18)}${numbers.map((number) => String(number).padStart(9)).join('')}`;
}

function describeFailure({ title, failed, output }: SuiteResult): string[] {
  const lines = output.trimEnd().split('\n');
  const reporting = lines.filter((line) => SHOWS_CAUSE.test(line)).slice(0, MAX_LINES_OF_FAILURE);
  const shown = reporting.length > 0 ? reporting : lines.slice(-5);
  return [`${title}: ${failed} failed`, ...shown.map((line) => `  ${line.slice(0, MAX_LINE)}`)];
}
