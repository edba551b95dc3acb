/** Time source of the elector; tests inject a virtual one. */

/** Time source and sleep of an elector. */
export interface Clock {
  /** Milliseconds on a monotonic clock with an arbitrary zero. The elector makes all decisions on it. */
  now(): number;
  /** Time of day, written into the Lease for people to read. The elector makes no decision on it. */
  wallTime(): Date;
  /** Resolves after `milliseconds`, or as soon as `signal` aborts; never rejects. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/**
 * The clocks of this process. `now` does not advance while a virtual machine is suspended, so a resumed leader believes
 * that its Lease is fresh. Only a fencing term on every write protects against that.
 */
export const systemClock: Clock = {
  now: () => performance.now(),
  wallTime: () => new Date(),
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
