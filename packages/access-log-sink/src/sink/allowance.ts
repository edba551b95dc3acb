/** How many entries a source may have looked at: beyond it, they are only counted, which costs next to nothing. */

/** Entries of one source (a pod's address). */
export interface AllowanceOptions {
  readonly perSecond: number;
  /** Entries at once. */
  readonly burst: number;
}

/** Above what one Envoy serves; a flood beyond it is a mistake or an attack. */
export const DEFAULT_ALLOWANCE: AllowanceOptions = { perSecond: 20_000, burst: 40_000 };

/** Grows with time up to the burst; the clock is handed in. */
export class Allowance {
  readonly #options: AllowanceOptions;
  #left: number;
  #at: number;

  constructor(options: AllowanceOptions, now: number) {
    this.#options = options;
    this.#left = options.burst;
    this.#at = now;
  }

  /** Lets time pass, in milliseconds. */
  refill(now: number): void {
    const { perSecond, burst } = this.#options;
    this.#left = Math.min(burst, this.#left + ((now - this.#at) / 1000) * perSecond);
    this.#at = now;
  }

  /** Whether it is as good as new. */
  isFull(now: number): boolean {
    this.refill(now);
    return this.#left >= this.#options.burst;
  }

  /** @returns whether one more is allowed */
  take(): boolean {
    if (this.#left < 1) return false;
    this.#left--;
    return true;
  }
}
