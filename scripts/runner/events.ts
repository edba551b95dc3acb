/** The messages between the runner and a worker: one JSON line each. */

/** Events that the worker records while it runs a file, in a separate file that survives a crash. */
export type TestEvent =
  | { readonly event: 'registered'; readonly name: string; readonly only: boolean }
  | { readonly event: 'started'; readonly name: string }
  /**
   * A test threw; `at` is the line of the test file in the stack, if there is one: `packages/pki/test/pem.test.ts:12`.
   */
  | { readonly event: 'failed'; readonly name: string; readonly message: string; readonly at?: string }
  /** A suite has ended: `passed` of `total` tests; hooks that throw show as missing passes. */
  | { readonly event: 'suite'; readonly passed: number; readonly skipped: number; readonly total: number }
  /** Every suite that called `run()` has ended. */
  | { readonly event: 'ended' }
  /** State of the process differs from before the file, such as `process.env.HOME`. */
  | { readonly event: 'changed'; readonly what: string }
  /**
   * The tests ended, but the event loop still has work; `open` names it (may be empty if the runtime cannot report it).
   */
  | { readonly event: 'lingered'; readonly open: readonly string[] }
  /** The event loop is empty: the worker can run another file. */
  | { readonly event: 'idle'; readonly cpuSeconds: number; readonly residentBytes: number };

/** Requests that the runner writes to a worker's stdin. */
export interface RunFileRequest {
  /** Absolute path of the test file. */
  readonly file: string;
  /** Absolute path of the file that receives the events. */
  readonly record: string;
  /** How long the event loop may stay busy after the tests. Milliseconds. */
  readonly linger: number;
}

/** Marks the end of a file's output in the worker's stdout and stderr. */
export const END_OF_FILE = '\u001e\n';

/** Parses the lines; ignores a last line truncated by a crash. */
export function parseEvents(text: string): TestEvent[] {
  const lines = text.split('\n');
  lines.pop();
  return lines.map((line) => JSON.parse(line) as TestEvent);
}
