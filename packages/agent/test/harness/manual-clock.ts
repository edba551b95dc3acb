/** Time that passes only when it is told to. */
import type { Clock } from '@meshrelay/kube';

interface Sleeper {
  readonly until: number;
  readonly wake: () => void;
}

export class ManualClock implements Clock {
  #now = 1_000;
  #sleepers: Sleeper[] = [];

  now(): number {
    return this.#now;
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((wake) => {
      if (signal?.aborted) return wake();
      this.#sleepers.push({ until: this.#now + milliseconds, wake });
      signal?.addEventListener('abort', () => wake(), { once: true });
    });
  }

  /** Lets time pass and whoever waited for it go on. */
  async pass(milliseconds: number): Promise<void> {
    this.#now += milliseconds;
    const due = this.#sleepers.filter(({ until }) => until <= this.#now);
    this.#sleepers = this.#sleepers.filter(({ until }) => until > this.#now);
    for (const { wake } of due) wake();
    await settle();
  }
}

/** Lets everything that is ready run. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resume) => setImmediate(resume));
}
