/** One bucket of an index: its member keys, and, where they are many, their entries in key order once somebody has asked for them. */
import { compareKeys, type Key } from './key.ts';
import { NO_KEYS } from './key-list.ts';

/** Up to this many members stand in a plain array, and nothing is kept but that; most buckets are this small, and there are very many of them. */
const SMALL = 32;

type Entry<V> = readonly [Key, V];

const EMPTY: readonly never[] = Object.freeze([]);

/**
 * Adding and removing members costs O(1) beyond {@link SMALL} members, since nothing is sorted before it is read. Handed-out entry lists
 * never change: the next read gets a new one, made from the last and what has changed since.
 */
export class Bucket<V> {
  /** In key order while small. */
  #members: readonly Key[] | Set<Key> = NO_KEYS;
  #entries: readonly Entry<V>[] | undefined;
  /** Members added, removed or changed since the entries were made. */
  #stale: Set<Key> | undefined;

  get size(): number {
    return isSmall(this.#members) ? this.#members.length : this.#members.size;
  }

  members(): Iterable<Key> {
    return this.#members;
  }

  has(key: Key): boolean {
    if (!isSmall(this.#members)) return this.#members.has(key);
    return this.#members[positionOf(this.#members, key)] === key;
  }

  /** Adds a key that is not a member. */
  add(key: Key): void {
    if (isSmall(this.#members)) {
      // Copies have no room to spare, which adds up over many buckets of one member.
      this.#members = this.#members.toSpliced(positionOf(this.#members, key), 0, key);
      if (this.#members.length > SMALL) this.#members = new Set(this.#members);
    } else this.#members.add(key);
    this.touch(key);
  }

  /** Removes a member. */
  remove(key: Key): void {
    if (isSmall(this.#members)) this.#members = this.#members.toSpliced(positionOf(this.#members, key), 1);
    else this.#members.delete(key);
    this.touch(key);
  }

  /** Tells that the value of a key has changed. */
  touch(key: Key): void {
    const entries = this.#entries;
    if (entries === undefined) return;
    this.#stale ??= new Set();
    this.#stale.add(key);
    if (this.#stale.size > entries.length / 2) {
      this.#entries = undefined;
      this.#stale = undefined;
    }
  }

  /** The entries in key order. `valueAt` gives the value of a member. */
  entries(valueAt: (key: Key) => V | undefined): readonly Entry<V>[] {
    const members = this.#members;
    if (isSmall(members)) return members.map((key) => [key, valueAt(key) as V] as const);
    if (this.#entries === undefined) {
      const keys = [...members].sort(compareKeys);
      this.#entries = keys.map((key) => [key, valueAt(key) as V] as const);
    } else if (this.#stale !== undefined) {
      this.#entries = this.#refreshed(this.#entries, this.#stale, valueAt);
      this.#stale = undefined;
    }
    return this.size === 0 ? EMPTY : this.#entries;
  }

  #refreshed(old: readonly Entry<V>[], stale: Set<Key>, valueAt: (key: Key) => V | undefined): readonly Entry<V>[] {
    if (stale.size > 8) {
      const fresh = old.filter(([key]) => !stale.has(key));
      for (const key of stale) if (this.has(key)) fresh.push([key, valueAt(key) as V]);
      return fresh.sort((a, b) => compareKeys(a[0], b[0]));
    }
    const fresh = old.slice();
    for (const key of stale) {
      const at = entryPosition(fresh, key);
      const removed = fresh[at]?.[0] === key ? 1 : 0;
      if (this.has(key)) fresh.splice(at, removed, [key, valueAt(key) as V]);
      else fresh.splice(at, removed);
    }
    return fresh;
  }
}

function isSmall(members: readonly Key[] | Set<Key>): members is readonly Key[] {
  return Array.isArray(members);
}

/** Where a key stands, or would stand, in sorted keys. */
function positionOf(keys: readonly Key[], key: Key): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((keys[middle] as Key) < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

function entryPosition(entries: ReadonlyArray<Entry<unknown>>, key: Key): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((entries[middle] as Entry<unknown>)[0] < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
