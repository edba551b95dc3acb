/** Pauses between attempts that grow, are spread, and start anew after a success. */

/** Settings of a backoff, in milliseconds. */
export interface BackoffOptions {
  /** The first pause, before it is spread. */
  readonly first: number;
  /** No pause is longer, unless a server asks for it. */
  readonly longest: number;
  /** A number in [0, 1). */
  readonly random: () => number;
}

/** Doubles from one failure to the next; each pause lies between half and the whole of its step. */
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

  /** Counts a failure and gives the pause before the next attempt, no shorter than `atLeast`. */
  next(atLeast = 0): number {
    const { first, longest, random } = this.#options;
    const step = Math.min(longest, first * 2 ** Math.min(this.#failures++, 30));
    return Math.max(atLeast, step * (0.5 + 0.5 * random()));
  }

  /** Starts anew. */
  reset(): void {
    this.#failures = 0;
  }
}
