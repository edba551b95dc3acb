/** A set of pairs that can be walked from either side. */
import { BucketRegistry } from './bucket-registry.ts';
import { type Key, key } from './key.ts';
import { NO_KEYS } from './key-list.ts';

/** Few lefts look for very many rights, nearly all of which are found by few: rights have no set each. */
export class PairTable {
  readonly #rightsOf = new Map<Key, Set<Key>>();
  readonly #leftsOf = new BucketRegistry<never>();

  has(left: Key, right: Key): boolean {
    return this.#rightsOf.get(left)?.has(right) ?? false;
  }

  /** The rights paired with a left. */
  ofLeft(left: Key): Iterable<Key> {
    return this.#rightsOf.get(left) ?? NO_KEYS;
  }

  /** The lefts paired with a right. */
  ofRight(right: Key): Iterable<Key> {
    return this.#leftsOf.membersOf(right);
  }

  hasRight(right: Key): boolean {
    return this.#leftsOf.has(right);
  }

  /** Adds a pair that is not there. @returns its key */
  add(left: Key, right: Key): Key {
    const rights = this.#rightsOf.get(left);
    if (rights === undefined) this.#rightsOf.set(left, new Set([right]));
    else rights.add(right);
    this.#leftsOf.place(left, NO_KEYS, [right]);
    return key(left, right);
  }

  delete(left: Key, right: Key): void {
    const rights = this.#rightsOf.get(left);
    if (rights?.delete(right) !== true) return;
    if (rights.size === 0) this.#rightsOf.delete(left);
    this.#leftsOf.place(left, [right], NO_KEYS);
  }

  /** How many lefts and rights are in any pair. */
  get size(): number {
    return this.#rightsOf.size + this.#leftsOf.size;
  }
}
