/**
 * Work queue by key: each key is at most once in the queue and once in progress. Failed keys are retried with a growing
 * delay.
 */
import { Backoff } from '@meshrelay/concurrency';
import type { Logger } from '@meshrelay/telemetry';

export interface KeyedWorkOptions {
  /** Processes a key. The signal aborts when the work is no longer needed. */
  readonly run: (key: string, signal: AbortSignal) => Promise<void>;
  readonly logger: Logger;
  /** Keys in progress at once; 1 by default. */
  readonly concurrency?: number;
}

interface Pause {
  readonly backoff: Backoff;
  timer: NodeJS.Timeout | undefined;
}

export class WorkQueue implements AsyncDisposable {
  readonly #options: KeyedWorkOptions;
  readonly #stop = new AbortController();
  readonly #queue = new Set<string>();
  readonly #running = new Map<string, Promise<void>>();
  readonly #pauses = new Map<string, Pause>();
  #scheduled = false;

  constructor(options: KeyedWorkOptions) {
    this.#options = options;
  }

  /** Keys that are queued or wait out their delay. */
  get depth(): number {
    return this.#queue.size + [...this.#pauses.values()].filter(({ timer }) => timer !== undefined).length;
  }

  /** Adds a key. It runs again after its current run; a key that waits after a failure keeps its delay. */
  add(key: string): void {
    if (this.#stop.signal.aborted || this.#pauses.get(key)?.timer !== undefined) return;
    this.#queue.add(key);
    if (this.#scheduled) return;
    this.#scheduled = true;
    queueMicrotask(() => {
      this.#scheduled = false;
      this.#next();
    });
  }

  /** Accepts no more keys and aborts current runs; resolves when they have ended. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    this.#queue.clear();
    for (const { timer } of this.#pauses.values()) clearTimeout(timer);
    await Promise.all(this.#running.values());
  }

  #next(): void {
    const { concurrency = 1 } = this.#options;
    for (const key of this.#queue) {
      if (this.#running.size >= concurrency) return;
      if (this.#running.has(key)) continue;
      this.#queue.delete(key);
      this.#running.set(
        key,
        this.#work(key).finally(() => {
          this.#running.delete(key);
          this.#next();
        }),
      );
    }
  }

  /** Never rejects. */
  async #work(key: string): Promise<void> {
    const { signal } = this.#stop;
    try {
      await this.#options.run(key, signal);
      this.#pauses.delete(key);
    } catch (error) {
      if (!signal.aborted) this.#pause(key, error);
    }
  }

  #pause(key: string, error: unknown): void {
    const pause: Pause = this.#pauses.get(key) ?? {
      backoff: new Backoff({ first: 100, longest: 30_000, random: Math.random }),
      timer: undefined,
    };
    this.#pauses.set(key, pause);
    // Keys that were added meanwhile wait for the end of the delay, too.
    this.#queue.delete(key);
    const delay = pause.backoff.next();
    this.#options.logger.warn('reconciliation failed; the server retries', {
      object: key,
      delay: Math.round(delay),
      error,
    });
    pause.timer = setTimeout(() => {
      pause.timer = undefined;
      this.add(key);
    }, delay);
  }
}
