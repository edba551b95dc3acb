/** One timer for all that is looked at from time to time: timers of their own would wake a process with a thousand streams again and again for nothing. */
import { clearInterval, setInterval } from 'node:timers';

/** Looks at everything that has joined, one after the other, every `every` milliseconds. Its timer runs while there is something to look at. */
export class SharedInterval {
  readonly #every: number;
  readonly #holds: boolean;
  readonly #attempts = new Set<() => void>();
  #timer: NodeJS.Timeout | undefined;

  /** @param holds whether the process goes on while there is something to look at */
  constructor(every: number, { holds }: { readonly holds: boolean }) {
    this.#every = every;
    this.#holds = holds;
  }

  /** The first look comes within one round. A look does not throw. @returns what leaves again; idempotent */
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
