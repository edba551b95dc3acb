/**
 * Events that the test functions send to the runner. Loads nothing, so the runner can be in place before uvu is loaded.
 */

/** The observer that the runner sets on globalThis, under {@link OBSERVER}, before it loads a test file. */
export interface TestObserver {
  /** A test was registered; `only` if it was marked to run alone. */
  registered(name: string, only: boolean): void;
  /** A test has begun. */
  started(name: string): void;
  /** A test threw. */
  failed(name: string, error: unknown): void;
}

/** The key of the runner's observer on globalThis; unset when a test file is run directly. */
export const OBSERVER: unique symbol = Symbol.for('meshrelay.test-observer');
