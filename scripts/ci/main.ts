/** Runs suites for a command line, and prints them. */
import { fileURLToPath } from 'node:url';
import { describeResults, describeSuite } from './report.ts';
import { runSuites } from './run-suites.ts';
import { selectSuites } from './select-suites.ts';
import type { Suite } from './suites.ts';

/** The root of this checkout. */
export const root: string = fileURLToPath(new URL('../..', import.meta.url));

/** Options for running suites. */
export interface MainOptions {
  /** Number of concurrent suites. */
  readonly jobs: number;
  /** Receives the summary before it is printed. */
  readonly summarized?: (summary: string) => void;
}

/**
 * Runs the suites with the titles, or all without one.
 * @returns the exit code: 0 if nothing failed, 2 if a title is unknown
 */
export async function main(
  suites: readonly Suite[],
  titles: readonly string[],
  { jobs, summarized }: MainOptions,
): Promise<number> {
  let chosen: readonly Suite[];
  try {
    chosen = selectSuites(suites, titles);
  } catch (error) {
    console.log(`${(error as Error).message}\n0 passed, 1 failed`);
    return 2;
  }
  const start = performance.now();
  const results = await runSuites(chosen, {
    root,
    jobs,
    began: ({ title }) => console.log(`>>> ${title}`),
    failing: ({ title }, line) => console.log(`!!! ${title}: ${line}`),
    ended: (result) => console.log(describeSuite(result)),
  });
  const summary = describeResults(results, (performance.now() - start) / 1000);
  summarized?.(summary);
  console.log(summary);
  return results.every(({ failed }) => failed === 0) ? 0 : 1;
}
