/** Counts received messages, and lets a caller wait for a number of them. */

export class Counts {
  /** Received but not yet awaited messages; negative while a caller waits. */
  #left = 0;
  #reached: (() => void) | undefined;

  add(): void {
    this.#left++;
    if (this.#left === 0) this.#reached?.();
  }

  /** Resolves when the given number of messages has arrived since the last awaited ones. One caller waits at a time. */
  next(count: number): Promise<void> {
    this.#left -= count;
    if (this.#left >= 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#reached = resolve;
    });
  }
}
