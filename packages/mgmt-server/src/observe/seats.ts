/** How many may do something at once. */

export class Seats {
  readonly #most: number;
  #taken = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** How many do it now. */
  get taken(): number {
    return this.#taken;
  }

  /** So many of them, until it is disposed of; undefined where there are not as many. */
  take(count = 1): Disposable | undefined {
    if (this.#taken + count > this.#most) return undefined;
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
