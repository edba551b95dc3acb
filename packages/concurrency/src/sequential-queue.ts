/** Runs work one piece after another, in the order of the calls. */

export class SequentialQueue {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs `work` after all earlier work has ended, even if that failed. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** Resolves when the work that was given so far has ended. Never rejects. */
  async idle(): Promise<void> {
    await this.#last;
  }
}
