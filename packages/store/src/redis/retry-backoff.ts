/** When to try again after a failure: later each time, at a random moment, so that replicas do not come all at once. */

export interface PaceOptions {
  /** Milliseconds of the first pause at most, and of the longest. */
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

  /** The next pause in milliseconds: between half of what is due and all of it. */
  next(): number {
    const { first, longest, random } = this.#options;
    const due = Math.min(longest, first * 2 ** Math.min(this.#failures, 30));
    this.#failures += 1;
    return due * (0.5 + random() / 2);
  }

  /** It worked. */
  reset(): void {
    this.#failures = 0;
  }
}
