/** Keys that thousands of items stand under: made once, and the very same string each time, so that it is hashed once and kept once. */
import { type Key, key } from './key.ts';

/** So many are remembered; then all are forgotten, which costs no more than making them again. */
const MAX_INTERNED_KEYS = 4_096;

export class InternedKeys {
  readonly #first: string;
  readonly #known = new Map<string, Key>();

  /** @param first the first part of all of them */
  constructor(first: string) {
    this.#first = first;
  }

  /** `key(first, second)` */
  of(second: string): Key {
    const known = this.#known.get(second);
    if (known !== undefined) return known;
    if (this.#known.size === MAX_INTERNED_KEYS) this.#known.clear();
    const made = key(this.#first, second);
    this.#known.set(second, made);
    return made;
  }
}
