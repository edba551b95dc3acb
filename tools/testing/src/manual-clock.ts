/** A clock that moves only when a test moves it; packages accept it as their `Clock`. */

export class ManualClock {
  #now = 1_000;
  #sleepers: { at: number; wake: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  /** Remaining time of the shortest sleep; undefined if there is no sleeper. */
  get nextIn(): number | undefined {
    return this.#sleepers.length === 0 ? undefined : Math.min(...this.#sleepers.map(({ at }) => at)) - this.#now;
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const sleeper = {
        at: this.#now + milliseconds,
        wake: (): void => {
          this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
          resolve();
        },
      };
      this.#sleepers.push(sleeper);
      signal?.addEventListener('abort', sleeper.wake, { once: true });
    });
  }

  /** Advances time, wakes sleepers in order, and settles promises after each. */
  async pass(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds;
    await settle();
    for (;;) {
      const [next] = this.#sleepers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
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
