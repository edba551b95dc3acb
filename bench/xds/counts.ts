/** Counts what comes, for whoever waits until all of it has. */

export class Counts {
  /** What has come and nobody has waited for yet; below nothing while somebody waits. */
  #left = 0;
  #reached: (() => void) | undefined;

  add(): void {
    this.#left++;
    if (this.#left === 0) this.#reached?.();
  }

  /** Resolves when so many have come since the last that were waited for. One waits at a time. */
  next(count: number): Promise<void> {
    this.#left -= count;
    if (this.#left >= 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#reached = resolve;
    });
  }
}
