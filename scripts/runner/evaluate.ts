/** Evaluates one run of a test file from the events of its worker and the way the run ended. Pure. */
import type { TestEvent } from './events.ts';

/** How the run of a file ended. */
export interface RunEnd {
  /** How the worker's process ended; undefined if it is ready for the next file. */
  readonly exit?: { readonly code: number | undefined; readonly signal: string | undefined };
  /** Set if the runner killed the worker: the deadline that the file missed, in milliseconds. */
  readonly missedDeadline?: number;
  /** Whether processes that the file started were still running afterwards. */
  readonly leftProcesses: boolean;
  /** Everything written to stdout and stderr. */
  readonly output: string;
}

/** A test that failed. */
export interface TestFailure {
  readonly name: string;
  readonly message: string;
  /** Path from the root and line: `packages/pki/test/pem.test.ts:12`. */
  readonly at?: string;
}

export interface FileSummary {
  readonly passed: number;
  /** Failed tests, and one for each problem of the file as a whole. */
  readonly failed: number;
  /** Tests skipped by `test.skip`, and one for each line `SKIPPED ...`. */
  readonly skipped: number;
  /** The text of each `SKIPPED` line: the missing requirement of the test. */
  readonly skips: readonly string[];
  readonly failures: readonly TestFailure[];
  /** Problems of the file as a whole. */
  readonly problems: readonly string[];
  /** CPU time of the worker and the programs that it has waited for. Seconds; 0 if the file ended its worker. */
  readonly cpuSeconds: number;
}

/** A file passes only if its worker reports it, and nothing contradicts it. */
export function evaluateRun(events: readonly TestEvent[], end: RunEnd): FileSummary {
  const suites = events.filter((event) => event.event === 'suite');
  const sum = (of: 'passed' | 'skipped' | 'total'): number => suites.reduce((total, suite) => total + suite[of], 0);
  const skips = [...end.output.matchAll(/^SKIPPED (.*)$/gm)].map((match) => match[1] ?? '');
  const hasEnded = events.some((event) => event.event === 'ended');
  const problems = hasEnded
    ? [...problemsOfTests(events, sum('total'), sum('skipped') + skips.length), ...problemsAfterTests(events, end)]
    : [earlyEnd(events, end)];
  if (end.leftProcesses) problems.push('left processes running that it had started: end each one and wait for it');
  return {
    passed: sum('passed'),
    failed: sum('total') - sum('passed') + problems.length,
    skipped: sum('skipped') + skips.length,
    skips,
    failures: events.filter((event) => event.event === 'failed').map(({ event: _, ...failure }) => failure),
    problems,
    cpuSeconds: events.find((event) => event.event === 'idle')?.cpuSeconds ?? 0,
  };
}

function problemsOfTests(events: readonly TestEvent[], ran: number, skipped: number): string[] {
  const registered = events.filter((event) => event.event === 'registered');
  const focused = registered.filter((event) => event.only);
  const problems = focused.map(({ name }) => `test.only("${name}") would hide the other tests: make it a plain test`);
  if (!events.some((event) => event.event === 'suite')) {
    problems.push('no suite ran: the file must end with test.run()');
  } else if (ran === 0 && skipped === 0) {
    problems.push('no tests: the file registers none');
  } else if (focused.length === 0 && registered.length > ran) {
    problems.push(`${registered.length - ran} tests never ran: call run() of each suite after its last test`);
  }
  return problems;
}

function problemsAfterTests(events: readonly TestEvent[], end: RunEnd): string[] {
  const problems = events
    .filter((event) => event.event === 'changed')
    .map(({ what }) => `changed ${what} for the files after it: restore it`);
  const lingered = events.find((event) => event.event === 'lingered');
  if (lingered) {
    const open = lingered.open.length === 0 ? '' : `, still open: ${lingered.open.join(', ')}`;
    problems.push(`the tests ended but work is left in the event loop${open}: close what the tests opened`);
  } else if (end.exit !== undefined || end.missedDeadline !== undefined) {
    problems.push(`${describeExit(end)} after the tests had ended`);
  }
  return problems;
}

function earlyEnd(events: readonly TestEvent[], end: RunEnd): string {
  const running = events.findLast((event) => event.event === 'started');
  return `${describeExit(end)} ${running ? `while running "${running.name}"` : 'while loading the file'}`;
}

function describeExit({ exit, missedDeadline }: RunEnd): string {
  if (missedDeadline !== undefined) return `did not end within ${missedDeadline / 1000} s, killed`;
  return exit?.signal === undefined
    ? `the process ended with exit code ${exit?.code}`
    : `the process was ended by ${exit.signal}`;
}
