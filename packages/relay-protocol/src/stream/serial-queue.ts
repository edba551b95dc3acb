/** Runs tasks one after another, in order, whether they are synchronous or not. */

/**
 * A queue of tasks. While every task is synchronous it runs within `add`, so that a driver without an event loop sees
 * its effect at once. A task that throws or rejects ends the queue.
 */
export class SerialQueue {
  readonly #work: Array<() => void | Promise<void>> = [];
  readonly #fail: (thrown: unknown) => void;
  #running = false;
  #ended = false;

  constructor(fail: (thrown: unknown) => void) {
    this.#fail = fail;
  }

  /** Whether all tasks are done. */
  get idle(): boolean {
    return !this.#running && this.#work.length === 0;
  }

  add(piece: () => void | Promise<void>): void {
    if (this.#ended) return;
    this.#work.push(piece);
    if (!this.#running) this.#run();
  }

  /** Drops the tasks that have not started. */
  end(): void {
    this.#ended = true;
    this.#work.length = 0;
  }

  #run(): void {
    this.#running = true;
    try {
      for (let piece = this.#work.shift(); piece !== undefined; piece = this.#work.shift()) {
        const result = piece();
        if (result === undefined) continue;
        result.then(
          () => this.#run(),
          (thrown) => this.#stop(thrown),
        );
        return;
      }
    } catch (thrown) {
      this.#stop(thrown);
    }
    this.#running = false;
  }

  #stop(thrown: unknown): void {
    this.#running = false;
    if (this.#ended) return;
    this.end();
    this.#fail(thrown);
  }
}
