/** Work by key: each key at most once in the queue and once under way, a failed one again after a growing pause. */
import { Backoff } from '@meshrelay/kube';
import type { Logger } from '@meshrelay/telemetry';

export interface KeyedWorkOptions {
  readonly run: (key: string) => Promise<void>;
  readonly logger: Logger;
  /** Keys worked on at once; 1 by default. */
  readonly concurrency?: number;
}

export class KeyedWork implements AsyncDisposable {
  readonly #options: KeyedWorkOptions;
  readonly #queue = new Set<string>();
  readonly #running = new Map<string, Promise<void>>();
  readonly #pauses = new Map<string, { readonly backoff: Backoff; timer: NodeJS.Timeout | undefined }>();
  #stopped = false;

  constructor(options: KeyedWorkOptions) {
    this.#options = options;
  }

  /** Keys that wait. */
  get depth(): number {
    return this.#queue.size;
  }

  /** The key has work. One that pauses after a failure keeps its pause. */
  add(key: string): void {
    if (this.#stopped || this.#pauses.get(key)?.timer !== undefined) return;
    this.#queue.add(key);
    queueMicrotask(() => this.#next());
  }

  /** Takes no more; resolves when what is under way has ended. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped = true;
    this.#queue.clear();
    for (const { timer } of this.#pauses.values()) clearTimeout(timer);
    await Promise.allSettled(this.#running.values());
  }

  #next(): void {
    const { concurrency = 1 } = this.#options;
    for (const key of this.#queue) {
      if (this.#running.size >= concurrency) return;
      if (this.#running.has(key)) continue;
      this.#queue.delete(key);
      this.#running.set(key, this.#work(key));
    }
  }

  async #work(key: string): Promise<void> {
    try {
      await this.#options.run(key);
      this.#pauses.delete(key);
    } catch (error) {
      this.#pause(key, error);
    } finally {
      this.#running.delete(key);
      this.#next();
    }
  }

  #pause(key: string, error: unknown): void {
    if (this.#stopped) return;
    const pause = this.#pauses.get(key) ?? {
      backoff: new Backoff({ first: 100, longest: 30_000, random: Math.random }),
      timer: undefined,
    };
    this.#pauses.set(key, pause);
    const delay = pause.backoff.next();
    this.#options.logger.warn('work failed, it is tried again', { key, delay, error });
    pause.timer = setTimeout(() => {
      pause.timer = undefined;
      this.add(key);
    }, delay);
  }
}
