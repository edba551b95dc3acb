/** Retry delays after failures: growing, with jitter, so that replicas do not retry at the same time. */

export interface PaceOptions {
  /** Maximum of the first delay, and of all delays, in milliseconds. */
  readonly first: number;
  readonly longest: number;
  readonly random: () => number;
}

export class RetryBackoff {
  readonly #options: PaceOptions;
  #failures = 0;

  constructor(options: PaceOptions) {
    this.#options = options;
  }

  /** The next delay in milliseconds: between half and all of the present backoff. */
  next(): number {
    const { first, longest, random } = this.#options;
    const due = Math.min(longest, first * 2 ** Math.min(this.#failures, 30));
    this.#failures += 1;
    return due * (0.5 + random() / 2);
  }

  /** Resets the backoff after a success. */
  reset(): void {
    this.#failures = 0;
  }
}
