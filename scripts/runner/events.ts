/** What the host of a test file tells the runner, one JSON line each, in a file that outlives a crash. */

export type TestEvent =
  | { readonly event: 'registered'; readonly name: string; readonly only: boolean }
  | { readonly event: 'started'; readonly name: string }
  /** A suite has ended: `passed` of `total` tests; hooks that throw show as missing passes. */
  | { readonly event: 'suite'; readonly passed: number; readonly skipped: number; readonly total: number }
  /** Every suite that called `run()` has ended. */
  | { readonly event: 'ended' }
  /** The tests ended, but the process went on; `open` names what kept it (may be empty where the runtime cannot tell). */
  | { readonly event: 'lingered'; readonly open: readonly string[] };

/** Parses the lines; a last line cut short by a crash is left out. */
export function parseEvents(text: string): TestEvent[] {
  const lines = text.split('\n');
  lines.pop();
  return lines.map((line) => JSON.parse(line) as TestEvent);
}
