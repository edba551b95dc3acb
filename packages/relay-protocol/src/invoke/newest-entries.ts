/** The newest entries of several sources, in bounded memory. */
import type { LoggedEntry } from './log-methods.ts';

export interface NewestLimits {
  readonly entries: number;
  /** Characters of their JSON. */
  readonly size: number;
}

interface Retained {
  readonly entry: LoggedEntry;
  readonly time: string;
  readonly size: number;
}

/** Takes entries in any order; stores at most a small multiple of its result. */
export class NewestEntries {
  readonly #limits: NewestLimits;
  #retained: Retained[] = [];
  #size = 0;
  #more = false;

  constructor(limits: NewestLimits) {
    this.#limits = limits;
  }

  /** Whether older entries were dropped. */
  get more(): boolean {
    return this.#more;
  }

  add(entries: readonly LoggedEntry[]): void {
    for (const entry of entries) {
      const size = JSON.stringify(entry).length;
      const time = typeof entry['time'] === 'string' ? entry['time'] : '';
      this.#retained.push({ entry, time, size });
      this.#size += size;
    }
    if (this.#retained.length > 2 * this.#limits.entries || this.#size > 2 * this.#limits.size) this.#cut();
  }

  /** Oldest first, by `time`. */
  entries(): LoggedEntry[] {
    this.#cut();
    return this.#retained.map(({ entry }) => entry);
  }

  #cut(): void {
    this.#retained.sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0));
    let [from, size] = [this.#retained.length, 0];
    for (let next = this.#retained[from - 1]; next !== undefined; next = this.#retained[from - 1]) {
      if (this.#retained.length - from >= this.#limits.entries || size + next.size > this.#limits.size) break;
      size += next.size;
      from--;
    }
    this.#more ||= from > 0;
    this.#retained = this.#retained.slice(from);
    this.#size = size;
  }
}
