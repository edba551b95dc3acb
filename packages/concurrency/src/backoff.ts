/** Pauses between attempts: growing, with jitter, and reset after a success. */

/** Settings of a backoff, in milliseconds. */
export interface BackoffOptions {
  /** The first pause, before jitter. */
  readonly first: number;
  /** Maximum pause, unless a server asks for a longer one. */
  readonly longest: number;
  /** A number in [0, 1). */
  readonly random: () => number;
}

/** Doubles after each failure; each pause lies between half and the whole of its step. */
export class Backoff {
  readonly #options: BackoffOptions;
  #failures = 0;

  constructor(options: BackoffOptions) {
    this.#options = options;
  }

  /** Failures since the last reset. */
  get failures(): number {
    return this.#failures;
  }

  /** Counts a failure and returns the pause before the next attempt, at least `atLeast`. */
  next(atLeast = 0): number {
    const { first, longest, random } = this.#options;
    const step = Math.min(longest, first * 2 ** Math.min(this.#failures++, 30));
    return Math.max(atLeast, step * (0.5 + 0.5 * random()));
  }

  /** Starts again with the first pause. */
  reset(): void {
    this.#failures = 0;
  }
}
