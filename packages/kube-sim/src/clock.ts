/** The simulator's clock, injected so that tests need no real time. */

/** A source of time and timers. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls `run` once after `milliseconds`; disposing the result cancels it. */
  schedule(milliseconds: number, run: () => void): Disposable;
}

/** The machine's own clock. Its timers never keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  schedule(milliseconds, run) {
    const timer = setTimeout(run, milliseconds);
    timer.unref();
    return { [Symbol.dispose]: () => clearTimeout(timer) };
  },
};

/** A time in Kubernetes' format: RFC 3339 in UTC, whole seconds. */
export function timestamp(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
}
