/** Time as the elector sees it, injected so that tests take none. */

/** Where an elector reads time and waits. */
export interface Clock {
  /** Milliseconds on a clock that only moves forward; its zero means nothing. All decisions are made on it. */
  now(): number;
  /** The time of day, written into the Lease for people to read. No decision is made on it. */
  wallTime(): Date;
  /** Resolves after `milliseconds`, or as soon as `signal` aborts; never rejects. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/**
 * The clocks of this process. `now` does not advance while a virtual machine is suspended, so a suspended leader
 * believes its Lease is fresh when it wakes: only a fencing term on every write protects from that.
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
