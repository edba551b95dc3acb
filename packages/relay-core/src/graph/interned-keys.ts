/** Interned keys that thousands of items use. Each is created once, so the same string is hashed and stored once. */
import { type Key, key } from '@meshrelay/plugin';

/** Maximum number of cached keys. A full cache is cleared; recreating the keys costs no more. */
const MAX_INTERNED_KEYS = 4_096;

export class InternedKeys {
  readonly #first: string;
  readonly #known = new Map<string, Key>();

  /** @param first the common first part of the keys */
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
