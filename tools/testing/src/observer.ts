/** What the test functions tell the runner. Loads nothing, so that the runner can be in place before uvu is. */

/** What the runner puts on globalThis, under {@link OBSERVER}, before it loads a test file. */
export interface TestObserver {
  /** A test was registered; `only` when it asks to run alone. */
  registered(name: string, only: boolean): void;
  /** A test has begun. */
  started(name: string): void;
  /** A test threw. */
  failed(name: string, error: unknown): void;
}

/** Where the runner's observer stands on globalThis; nothing stands there when a test file is run directly. */
export const OBSERVER: unique symbol = Symbol.for('meshrelay.test-observer');
