/** How often something happened lately. */

/** Counts in windows that follow each other; the clock is handed in. */
export class EventRate {
  readonly #max: number;
  readonly #window: number;
  #began = Number.NEGATIVE_INFINITY;
  #count = 0;

  constructor(max: number, window: number) {
    this.#max = max;
    this.#window = window;
  }

  /** @returns whether it happens too often. */
  exceeds(now: number): boolean {
    if (now - this.#began >= this.#window) {
      this.#began = now;
      this.#count = 0;
    }
    this.#count++;
    return this.#count > this.#max;
  }
}
