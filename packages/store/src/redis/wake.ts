/** Sleep that others may end. */

export class Wake {
  #wake: (() => void) | undefined;
  #awake = false;

  /** Ends the sleep under way, or the next one at once. */
  now(): void {
    this.#awake = true;
    this.#wake?.();
  }

  /** Resolves when woken, or after `milliseconds`. */
  async sleep(milliseconds: number): Promise<void> {
    if (!this.#awake) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      const timer = setTimeout(resolve, milliseconds);
      await promise;
      clearTimeout(timer);
      this.#wake = undefined;
    }
    this.#awake = false;
  }
}
