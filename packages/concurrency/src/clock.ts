/** Clock and timer, injected so that tests need no real time. */

/** Clock and timer of a program. */
export interface Clock {
  /** Milliseconds on a monotonic clock. */
  now(): number;
  /** Resolves after `milliseconds`, or as soon as `signal` aborts; never rejects. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** The clock of this process. */
export const systemClock: Clock = {
  now: () => performance.now(),
  sleep: (milliseconds, signal) =>
    new Promise((wake) => {
      if (signal?.aborted) return wake();
      const done = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        wake();
      };
      const timer = setTimeout(done, milliseconds);
      signal?.addEventListener('abort', done, { once: true });
    }),
};
