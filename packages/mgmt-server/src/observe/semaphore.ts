/** How many may do something at once. */

export class Semaphore {
  readonly #max: number;
  #taken = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** How many do it now. */
  get taken(): number {
    return this.#taken;
  }

  /** So many of them, until it is disposed of; undefined where there are not as many. */
  take(count = 1): Disposable | undefined {
    if (this.#taken + count > this.#max) return undefined;
    this.#taken += count;
    let left = false;
    return {
      [Symbol.dispose]: () => {
        if (!left) this.#taken -= count;
        left = true;
      },
    };
  }
}
