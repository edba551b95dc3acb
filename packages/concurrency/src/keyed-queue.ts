/** Runs work one piece after another per key, in the order of the calls. */

export class KeyedQueue {
  readonly #last = new Map<string, Promise<void>>();

  /** Runs `work` after all earlier work of the same key has ended, even if that failed. */
  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const result = (this.#last.get(key) ?? Promise.resolve()).then(work);
    const ended = result.then(
      () => undefined,
      () => undefined,
    );
    this.#last.set(key, ended);
    void ended.then(() => {
      if (this.#last.get(key) === ended) this.#last.delete(key);
    });
    return result;
  }
}
