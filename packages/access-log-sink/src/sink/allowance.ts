/** Number of entries of a source that are decoded: above it, they are only counted, which is very cheap. */

/** Entries of one source (a pod's address). */
export interface AllowanceOptions {
  readonly perSecond: number;
  /** Entries at once. */
  readonly burst: number;
}

/** Above the load that one Envoy serves; more is a mistake or an attack. */
export const DEFAULT_ALLOWANCE: AllowanceOptions = { perSecond: 20_000, burst: 40_000 };

/** Token bucket: it refills with time up to the burst; the caller passes the clock. */
export class Allowance {
  readonly #options: AllowanceOptions;
  #left: number;
  #at: number;

  constructor(options: AllowanceOptions, now: number) {
    this.#options = options;
    this.#left = options.burst;
    this.#at = now;
  }

  /** Refills up to the time `now`, in milliseconds. */
  refill(now: number): void {
    const { perSecond, burst } = this.#options;
    this.#left = Math.min(burst, this.#left + ((now - this.#at) / 1000) * perSecond);
    this.#at = now;
  }

  /** Whether it is full again. */
  isFull(now: number): boolean {
    this.refill(now);
    return this.#left >= this.#options.burst;
  }

  /** @returns whether one more entry is allowed */
  take(): boolean {
    if (this.#left < 1) return false;
    this.#left--;
    return true;
  }
}
