/** Recent rate of an event. */

/** Counts in consecutive windows; the caller passes the clock. */
export class EventRate {
  readonly #max: number;
  readonly #window: number;
  #began = Number.NEGATIVE_INFINITY;
  #count = 0;

  constructor(max: number, window: number) {
    this.#max = max;
    this.#window = window;
  }

  /** @returns whether the rate exceeds the limit */
  exceeds(now: number): boolean {
    if (now - this.#began >= this.#window) {
      this.#began = now;
      this.#count = 0;
    }
    this.#count++;
    return this.#count > this.#max;
  }
}
