/** Judges one run of a test file from what its host recorded and how its process ended. Pure. */
import type { TestEvent } from './events.ts';

/** How the process of a test file ended. */
export interface Ending {
  /** Undefined when a signal ended it. */
  readonly code: number | undefined;
  readonly signal: string | undefined;
  /** Set when the runner ended it: the deadline it missed, in milliseconds. */
  readonly missedDeadline?: number;
  /** Whether processes that the test started were still running afterwards. */
  readonly leftProcesses: boolean;
  /** Everything it wrote to stdout and stderr. */
  readonly output: string;
}

export interface Verdict {
  readonly passed: number;
  /** Failed tests, and one for each thing wrong with the file as a whole. */
  readonly failed: number;
  /** Tests skipped by `test.skip`, and one for each line `SKIPPED ...`. */
  readonly skipped: number;
  /** What each `SKIPPED` line says it needs. */
  readonly skips: readonly string[];
  /** What is wrong with the file as a whole; failed tests explain themselves in the output. */
  readonly problems: readonly string[];
}

/** The verdict on one file. A file passes only when it says so itself, and nothing contradicts it. */
export function judge(events: readonly TestEvent[], ending: Ending): Verdict {
  const suites = events.filter((event) => event.event === 'suite');
  const sum = (of: 'passed' | 'skipped' | 'total'): number => suites.reduce((total, suite) => total + suite[of], 0);
  const skips = [...ending.output.matchAll(/^SKIPPED (.*)$/gm)].map((match) => match[1] ?? '');
  const ended = events.some((event) => event.event === 'ended');
  const problems = ended
    ? [...problemsOfTests(events, sum('total'), sum('skipped') + skips.length), ...problemsAfterTests(events, ending)]
    : [howItDied(events, ending)];
  if (ending.leftProcesses) problems.push('left processes running that it had started: end each one and wait for it');
  return {
    passed: sum('passed'),
    failed: sum('total') - sum('passed') + problems.length,
    skipped: sum('skipped') + skips.length,
    skips,
    problems,
  };
}

function problemsOfTests(events: readonly TestEvent[], ran: number, skipped: number): string[] {
  const registered = events.filter((event) => event.event === 'registered');
  const alone = registered.filter((event) => event.only);
  const problems = alone.map(({ name }) => `test.only("${name}") would hide the other tests: make it a plain test`);
  if (!events.some((event) => event.event === 'suite')) {
    problems.push('no suite ran: the file must end with test.run()');
  } else if (ran === 0 && skipped === 0) {
    problems.push('no tests: the file registers none');
  } else if (alone.length === 0 && registered.length > ran) {
    problems.push(`${registered.length - ran} tests never ran: call run() of each suite after its last test`);
  }
  return problems;
}

function problemsAfterTests(events: readonly TestEvent[], ending: Ending): string[] {
  const lingered = events.find((event) => event.event === 'lingered');
  if (lingered) {
    const what = lingered.open.length === 0 ? '' : `, still open: ${lingered.open.join(', ')}`;
    return [`the tests ended but the process did not${what}: close what the tests opened`];
  }
  if (ending.code === 0) return [];
  return [`${wayOut(ending)} after the tests had ended`];
}

function howItDied(events: readonly TestEvent[], ending: Ending): string {
  const running = events.findLast((event) => event.event === 'started');
  return `${wayOut(ending)} ${running ? `while running "${running.name}"` : 'while loading the file'}`;
}

function wayOut({ code, signal, missedDeadline }: Ending): string {
  if (missedDeadline !== undefined) return `did not end within ${missedDeadline / 1000} s, killed`;
  return signal === undefined ? `the process ended with exit code ${code}` : `the process was ended by ${signal}`;
}
