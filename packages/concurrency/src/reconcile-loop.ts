/** Reconcile loop: runs on every trigger, and again after the delay that the last run returned. */
import type { Clock } from './clock.ts';

/**
 * Runs once and returns the delay until the next run in milliseconds; Infinity: until triggered. It must not reject.
 * @param signal aborted when the loop is disposed
 */
export type Reconcile = (signal: AbortSignal) => Promise<number> | number;

/** Runs from construction until disposed; disposal waits for the current run. Runs never overlap. */
export class ReconcileLoop implements AsyncDisposable {
  readonly #clock: Clock;
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;
  #wake = new AbortController();

  /** The first run starts before anything else. */
  constructor(clock: Clock, reconcile: Reconcile) {
    this.#clock = clock;
    // Not within the constructor: a run may use its loop.
    this.#running = Promise.resolve().then(() => this.#run(reconcile));
  }

  /** Runs at once, or once more after the current run. */
  trigger(): void {
    this.#wake.abort();
  }

  /** Whether the loop is disposed: no other run starts. */
  get ended(): boolean {
    return this.#stop.signal.aborted;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #run(reconcile: Reconcile): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      this.#wake = new AbortController();
      const wake = this.#wake.signal;
      const pause = await reconcile(signal);
      await this.#sleep(pause, AbortSignal.any([signal, wake]));
    }
  }

  #sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
    if (Number.isFinite(milliseconds)) return this.#clock.sleep(milliseconds, signal);
    return new Promise((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }
}
