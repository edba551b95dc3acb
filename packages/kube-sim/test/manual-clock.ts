/** A clock that only a test advances. */
import type { Clock } from '../src/clock.ts';

/** Advances by {@link ManualClock.advance} only; due timers run in order. */
export class ManualClock implements Clock {
  #now: number;
  #timers: { readonly at: number; readonly run: () => void }[] = [];

  constructor(now: number = Date.UTC(2026, 0, 1)) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  schedule(milliseconds: number, run: () => void): Disposable {
    const timer = { at: this.#now + milliseconds, run };
    this.#timers.push(timer);
    const cancel = (): void => {
      this.#timers = this.#timers.filter((each) => each !== timer);
    };
    return { [Symbol.dispose]: cancel };
  }

  /** Advances by some milliseconds. */
  advance(milliseconds: number): void {
    const end = this.#now + milliseconds;
    for (;;) {
      const [next] = this.#timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (next === undefined) break;
      this.#timers = this.#timers.filter((each) => each !== next);
      this.#now = next.at;
      next.run();
    }
    this.#now = end;
  }
}
