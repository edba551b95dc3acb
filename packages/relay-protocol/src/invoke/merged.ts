/** Merges several streams of replies; each reply is yielded as soon as it arrives. */

/** Result of reading the next value of one source. */
interface Came<T> {
  readonly source: AsyncIterator<T>;
  readonly result: IteratorResult<T>;
}

/**
 * Yields the values of its sources, each source in its order, until all have ended. It reads at most one value per
 * source ahead, so a slow reader holds all sources back. An error of one source ends the whole: a source that may fail
 * alone reports that in a value.
 */
export class Merged<T> implements AsyncIterable<T> {
  readonly #open = new Set<AsyncIterator<T>>();
  readonly #came: Came<T>[] = [];
  #failure: { readonly error: unknown } | undefined;
  #closed = false;
  #wake = (): void => undefined;

  constructor(sources: Iterable<AsyncIterable<T>> = []) {
    for (const source of sources) this.add(source);
  }

  /** Adds a source; no effect after the reader stopped. */
  add(source: AsyncIterable<T>): void {
    if (this.#closed) return;
    const iterator = source[Symbol.asyncIterator]();
    this.#open.add(iterator);
    this.#ask(iterator);
  }

  /**
   * For one reader. A reader that stops ends the sources without waiting for them, since a source may wait for ever.
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    try {
      for (;;) {
        if (this.#failure !== undefined) throw this.#failure.error;
        const next = this.#came.shift();
        if (next !== undefined) {
          const { source, result } = next;
          if (result.done === true) this.#open.delete(source);
          else {
            yield result.value;
            this.#ask(source);
          }
        } else if (this.#open.size === 0) return;
        else
          await new Promise<void>((wake) => {
            this.#wake = wake;
          });
      }
    } finally {
      this.#closed = true;
      for (const source of this.#open) source.return?.()?.catch(() => undefined);
    }
  }

  #ask(source: AsyncIterator<T>): void {
    source.next().then(
      (result) => {
        this.#came.push({ source, result });
        this.#wake();
      },
      (error: unknown) => {
        this.#failure = { error };
        this.#wake();
      },
    );
  }
}
