/** One timer for all that is looked at from time to time: timers of their own would wake a process with a thousand streams again and again for nothing. */
import { clearInterval, setInterval } from 'node:timers';

/** Looks at everything that has joined, one after the other, every `every` milliseconds. Its timer runs while there is something to look at. */
export class Rounds {
  readonly #every: number;
  readonly #holds: boolean;
  readonly #looks = new Set<() => void>();
  #timer: NodeJS.Timeout | undefined;

  /** @param holds whether the process goes on while there is something to look at */
  constructor(every: number, { holds }: { readonly holds: boolean }) {
    this.#every = every;
    this.#holds = holds;
  }

  /** The first look comes within one round. A look does not throw. @returns what leaves again; idempotent */
  join(look: () => void): () => void {
    this.#looks.add(look);
    if (this.#timer === undefined) this.#begin();
    return () => this.#leave(look);
  }

  #begin(): void {
    this.#timer = setInterval(() => this.#go(), this.#every);
    if (!this.#holds) this.#timer.unref();
  }

  #leave(look: () => void): void {
    this.#looks.delete(look);
    if (this.#looks.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #go(): void {
    for (const look of this.#looks) look();
  }
}
