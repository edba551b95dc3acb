/** A set of pairs that can be walked from either side. */
import { type Key, key } from './key.ts';

const NONE: ReadonlyMap<Key, Key> = new Map();

export class PairTable {
  /** Left key -> right key -> pair key; and the other way. */
  readonly #byLeft = new Map<Key, Map<Key, Key>>();
  readonly #byRight = new Map<Key, Map<Key, Key>>();

  has(left: Key, right: Key): boolean {
    return this.#byLeft.get(left)?.has(right) ?? false;
  }

  /** The rights paired with a left, each with the pair's key. */
  ofLeft(left: Key): ReadonlyMap<Key, Key> {
    return this.#byLeft.get(left) ?? NONE;
  }

  /** The lefts paired with a right, each with the pair's key. */
  ofRight(right: Key): ReadonlyMap<Key, Key> {
    return this.#byRight.get(right) ?? NONE;
  }

  /** Adds a pair that is not there. @returns its key */
  add(left: Key, right: Key): Key {
    const pair = key(left, right);
    link(this.#byLeft, left, right, pair);
    link(this.#byRight, right, left, pair);
    return pair;
  }

  delete(left: Key, right: Key): void {
    unlink(this.#byLeft, left, right);
    unlink(this.#byRight, right, left);
  }

  /** How many lefts and rights are in any pair. */
  get size(): number {
    return this.#byLeft.size + this.#byRight.size;
  }
}

function link(side: Map<Key, Map<Key, Key>>, from: Key, to: Key, pair: Key): void {
  const others = side.get(from);
  if (others === undefined) side.set(from, new Map([[to, pair]]));
  else others.set(to, pair);
}

function unlink(side: Map<Key, Map<Key, Key>>, from: Key, to: Key): void {
  const others = side.get(from);
  if (others?.delete(to) && others.size === 0) side.delete(from);
}
