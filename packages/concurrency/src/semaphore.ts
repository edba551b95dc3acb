/** Limits concurrent users of a resource. */

export class Semaphore {
  readonly #max: number;
  #taken = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** Permits in use. */
  get taken(): number {
    return this.#taken;
  }

  /** Takes `count` permits until disposal; undefined if fewer are free. */
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
