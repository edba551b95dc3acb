/** A clock that moves only when a test moves it; packages accept it as their `Clock`. */

export class ManualClock {
  #now = 1_000;
  #timers: { at: number; wake: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  /** Remaining time of the shortest sleep; undefined if there is no timer. */
  get nextIn(): number | undefined {
    return this.#timers.length === 0 ? undefined : Math.min(...this.#timers.map(({ at }) => at)) - this.#now;
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const timer = {
        at: this.#now + milliseconds,
        wake: (): void => {
          this.#timers = this.#timers.filter((other) => other !== timer);
          resolve();
        },
      };
      this.#timers.push(timer);
      signal?.addEventListener('abort', timer.wake, { once: true });
    });
  }

  /** Advances time, ends due sleeps in order, and settles promises after each. */
  async pass(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds;
    await settle();
    for (;;) {
      const [next] = this.#timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
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
