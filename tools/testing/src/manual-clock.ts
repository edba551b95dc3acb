/** A clock that moves only when a test moves it; packages accept it as their `Clock`. */

export class ManualClock {
  #now = 1_000;
  #waiters: { at: number; wake: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  /** Remaining time of the shortest sleep; undefined if nothing sleeps. */
  get nextIn(): number | undefined {
    return this.#waiters.length === 0 ? undefined : Math.min(...this.#waiters.map(({ at }) => at)) - this.#now;
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const waiter = {
        at: this.#now + milliseconds,
        wake: (): void => {
          this.#waiters = this.#waiters.filter((other) => other !== waiter);
          resolve();
        },
      };
      this.#waiters.push(waiter);
      signal?.addEventListener('abort', waiter.wake, { once: true });
    });
  }

  /** Advances time, wakes sleeping callers in order, and settles promises after each. */
  async pass(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds;
    await settle();
    for (;;) {
      const [next] = this.#waiters.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (next === undefined) break;
      this.#now = Math.max(this.#now, next.at);
      next.wake();
      await settle();
    }
    this.#now = end;
  }
}

/** Settles promises and immediates. */
export async function settle(): Promise<void> {
  for (let round = 0; round < 5; round++) await new Promise((resolve) => setImmediate(resolve));
}
