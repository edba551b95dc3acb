/** A sleep that other code can end early. */

export class Wake {
  #wake: (() => void) | undefined;
  #isActive = false;

  /** Ends the present sleep, or the next one at once. */
  now(): void {
    this.#isActive = true;
    this.#wake?.();
  }

  /** Resolves when woken, or after `milliseconds`. */
  async sleep(milliseconds: number): Promise<void> {
    if (!this.#isActive) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      const timer = setTimeout(resolve, milliseconds);
      await promise;
      clearTimeout(timer);
      this.#wake = undefined;
    }
    this.#isActive = false;
  }
}
