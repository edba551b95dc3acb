/** One timer for all periodic checks: separate timers would wake a process with a thousand streams much more often. */
import { clearInterval, setInterval } from 'node:timers';

/**
 * Runs every registered check, one after the other, every `every` milliseconds. Its timer runs while there are checks.
 */
export class SharedInterval {
  readonly #every: number;
  readonly #holds: boolean;
  readonly #attempts = new Set<() => void>();
  #timer: NodeJS.Timeout | undefined;

  /** @param holds whether the timer keeps the process running */
  constructor(every: number, { holds }: { readonly holds: boolean }) {
    this.#every = every;
    this.#holds = holds;
  }

  /**
   * The first check runs within one interval. A check must not throw. @returns a function that removes the check;
   * idempotent
   */
  join(check: () => void): () => void {
    this.#attempts.add(check);
    if (this.#timer === undefined) this.#begin();
    return () => this.#leave(check);
  }

  #begin(): void {
    this.#timer = setInterval(() => this.#go(), this.#every);
    if (!this.#holds) this.#timer.unref();
  }

  #leave(check: () => void): void {
    this.#attempts.delete(check);
    if (this.#attempts.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #go(): void {
    for (const check of this.#attempts) check();
  }
}
