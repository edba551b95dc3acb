/** Work that is looked after for as long as a replica has it: now and then, and at once when something may have changed. */
import type { Clock } from './clock.ts';

/**
 * Looks once and says how long to wait until the next look, in milliseconds; Infinity: until told. It must not reject.
 * @param signal aborted when it is all over
 */
export type Reconcile = (signal: AbortSignal) => Promise<number> | number;

/** Looks from its making until disposed, which waits for the look under way. One look follows the other. */
export class ReconcileLoop implements AsyncDisposable {
  readonly #clock: Clock;
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;
  #wake = new AbortController();

  /** The first look begins before anything else happens. */
  constructor(clock: Clock, reconcile: Reconcile) {
    this.#clock = clock;
    // Not within the constructor: what looks may use its lookout.
    this.#running = Promise.resolve().then(() => this.#run(reconcile));
  }

  /** Looks at once, or once more where it is looking now. */
  trigger(): void {
    this.#wake.abort();
  }

  /** Whether it is over: no other look begins. */
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
