/** The messages between the runner and a worker: one JSON line each. */

/** What the worker records while it runs a file, in a file of its own that outlives a crash. */
export type TestEvent =
  | { readonly event: 'registered'; readonly name: string; readonly only: boolean }
  | { readonly event: 'started'; readonly name: string }
  /** A test threw; `at` is the line of the test file in the stack, if one is there: `packages/pki/test/pem.test.ts:12`. */
  | { readonly event: 'failed'; readonly name: string; readonly message: string; readonly at?: string }
  /** A suite has ended: `passed` of `total` tests; hooks that throw show as missing passes. */
  | { readonly event: 'suite'; readonly passed: number; readonly skipped: number; readonly total: number }
  /** Every suite that called `run()` has ended. */
  | { readonly event: 'ended' }
  /** Something of the process is not as it was before the file, such as `process.env.HOME`. */
  | { readonly event: 'changed'; readonly what: string }
  /** The tests ended, but work is left in the event loop; `open` names it (may be empty where the runtime cannot tell). */
  | { readonly event: 'lingered'; readonly open: readonly string[] }
  /** The event loop is empty: the worker can take another file. */
  | { readonly event: 'idle'; readonly cpuSeconds: number; readonly residentBytes: number };

/** What the runner writes to a worker's stdin. */
export interface RunFileRequest {
  /** Absolute path of the test file. */
  readonly file: string;
  /** Absolute path of the file that receives the events. */
  readonly record: string;
  /** How long the event loop may stay busy after the tests. Milliseconds. */
  readonly linger: number;
}

/** Stands in the worker's stdout and stderr after all output of a file. */
export const END_OF_FILE = '\u001e\n';

/** Parses the lines; a last line cut short by a crash is left out. */
export function parseEvents(text: string): TestEvent[] {
  const lines = text.split('\n');
  lines.pop();
  return lines.map((line) => JSON.parse(line) as TestEvent);
}
