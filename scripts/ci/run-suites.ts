/** Runs suites in parallel, and measures them. */
import { spawn } from 'node:child_process';
import type { Suite } from './suites.ts';

export interface SuiteResult {
  readonly title: string;
  readonly passed: number;
  readonly failed: number;
  readonly exitCode: number;
  readonly seconds: number;
  /** Of the suite and every process that it has waited for. */
  readonly cpuSeconds: number;
  /** Its complete output. */
  readonly output: string;
}

export interface SuiteOptions {
  readonly root: string;
  /** Number of concurrent suites. */
  readonly jobs: number;
  readonly began: (suite: Suite) => void;
  readonly ended: (result: SuiteResult) => void;
  /**
   * Receives each line about a failure as soon as a suite writes it, so an interrupted run has reported the failure.
   */
  readonly failing?: (suite: Suite, line: string) => void;
}

/**
 * Resolves with the results in the order of the suites. A suite that must wait for another lets those after it begin.
 * @throws Error if suites wait for each other
 */
export async function runSuites(suites: readonly Suite[], options: SuiteOptions): Promise<SuiteResult[]> {
  const results = new Map<string, SuiteResult>();
  const running = new Set<Promise<void>>();
  const waiting = [...suites];
  const chosen = new Set(suites.map(({ title }) => title));
  const canBegin = ({ after }: Suite): boolean => after === undefined || !chosen.has(after) || results.has(after);
  const run = async (suite: Suite): Promise<void> => {
    options.began(suite);
    const result = await runSuite(suite, options);
    results.set(suite.title, result);
    options.ended(result);
  };
  while (waiting.length > 0 || running.size > 0) {
    const index = running.size < options.jobs ? waiting.findIndex(canBegin) : -1;
    const [suite] = index === -1 ? [] : waiting.splice(index, 1);
    if (suite !== undefined) {
      const ended = run(suite).finally(() => running.delete(ended));
      running.add(ended);
    } else if (running.size > 0) await Promise.race(running);
    else throw new Error(`suites wait for each other: ${waiting.map(({ title }) => title).join(', ')}`);
  }
  return suites.map(({ title }) => results.get(title) as SuiteResult);
}

/** At its end, a shell reports its children's CPU time on descriptor 3: Node only knows that of its own process. */
const TIMED = '"$@"; code=$?; times >&3; exit "$code"';

/** Prefixes in capitals that the runner, the fault matrix and the simulation write for failures. */
const OF_A_FAILURE = /\b(FAILED|VIOLATED)\b/;

async function runSuite(suite: Suite, { root, failing }: SuiteOptions): Promise<SuiteResult> {
  const { title, command } = suite;
  const start = performance.now();
  const child = spawn('bash', ['-c', TIMED, 'suite', ...command], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  const [output, times] = [child.stdio.slice(1, 3), child.stdio.slice(3)].map((streams) => {
    const chunks: string[] = [];
    for (const stream of streams as NodeJS.ReadableStream[]) {
      const lines = new Lines((line) => {
        if (OF_A_FAILURE.test(line)) failing?.(suite, line.trim());
      });
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        chunks.push(chunk);
        lines.write(chunk);
      });
    }
    return chunks;
  });
  const exitCode = await new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
  const text = output?.join('') ?? '';
  return {
    title,
    ...countsOf(text, exitCode),
    exitCode,
    seconds: (performance.now() - start) / 1000,
    cpuSeconds: cpuSecondsOf(times?.join('') ?? ''),
    output: text,
  };
}

/** Splits chunks into lines. */
class Lines {
  readonly #take: (line: string) => void;
  #rest = '';

  constructor(take: (line: string) => void) {
    this.#take = take;
  }

  write(chunk: string): void {
    const lines = (this.#rest + chunk).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#take(line);
  }
}

/**
 * The counts of the last line; a suite without them counts as one check. A suite with a bad exit code has failed,
 * whatever it prints.
 */
export function countsOf(output: string, exitCode: number): Pick<SuiteResult, 'passed' | 'failed'> {
  const lastLine = output.trimEnd().split('\n').at(-1) ?? '';
  const counts = /^(\d+) passed, (\d+) failed$/.exec(lastLine);
  const [passed, failed] = counts ? [Number(counts[1]), Number(counts[2])] : [exitCode === 0 ? 1 : 0, 0];
  return { passed, failed: exitCode !== 0 && failed === 0 ? 1 : failed };
}

/** The second line of bash's `times`, about children: user and system time, each as `1m2.345s`. */
export function cpuSecondsOf(times: string): number {
  const [, children = ''] = times.split('\n');
  return [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, minutes, seconds]) => sum + 60 * Number(minutes) + Number(seconds),
    0,
  );
}
