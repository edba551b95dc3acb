/** Work by key, one piece after the other for each key, in the order it was asked for. */

export class KeyedQueue {
  readonly #last = new Map<string, Promise<void>>();

  /** Runs work when everything asked for before under the same key has ended, well or not. */
  take<T>(key: string, work: () => Promise<T>): Promise<T> {
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
