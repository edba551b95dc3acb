/** Several streams of replies as one, each reply as soon as it is there. */

/** What came of asking one source for its next value. */
interface Came<T> {
  readonly source: AsyncIterator<T>;
  readonly result: IteratorResult<T>;
}

/**
 * Yields what its sources yield, of each in its order, until all have ended. Of each at most one value is asked for beforehand, so that a
 * slow reader holds all of them back. A source that throws ends the whole: one that may fail by itself says so in a value.
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

  /** One more; nothing where nobody reads any more. */
  add(source: AsyncIterable<T>): void {
    if (this.#closed) return;
    const iterator = source[Symbol.asyncIterator]();
    this.#open.add(iterator);
    this.#ask(iterator);
  }

  /** For one reader. Whoever stops reading ends the sources: they are told, and not waited for, since one may wait for ever. */
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
