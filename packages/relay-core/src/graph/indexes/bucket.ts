/**
 * One bucket of an index: the rows of its members. A large bucket also caches its entries in key order after the first
 * read.
 */

import type { Key } from '@meshrelay/plugin';
import { compareKeys } from '../compare-keys.ts';
import { HashRows } from '../rows/hash-rows.ts';
import { NO_ROW, type Rows } from '../rows/rows.ts';

/**
 * A bucket with up to this many members is a plain array without a cache. Most buckets are this small, and there are
 * very many.
 */
const SMALL = 32;
/** Entry lists up to this size are dropped between commits, because rebuilding them is cheaper than storing them. */
const SOON_MADE = 256;

type Entry<V> = readonly [Key, V];

const NO_ROWS: readonly number[] = Object.freeze([]);

/**
 * Set of member rows. With more than {@link SMALL} members, adding and removing cost O(1), because sorting happens on
 * read. Returned entry lists never change: the next read builds a new list from the last one and the changes since.
 */
export class Bucket<V> {
  readonly #rows: Rows;
  /** In key order while small; otherwise a table in which each row is its own hash. */
  #members: readonly number[] | HashRows = NO_ROWS;
  #entries: readonly Entry<V>[] | undefined;
  /**
   * Members added, removed or changed since the entries were built. Stored by key, because another key may reuse the
   * row of a removed member.
   */
  #stale: Set<Key> | undefined;

  /** @param rows rows of the members */
  constructor(rows: Rows) {
    this.#rows = rows;
  }

  get size(): number {
    return isSmall(this.#members) ? this.#members.length : this.#members.size;
  }

  /** Member rows, in no particular order. */
  members(): Iterable<number> {
    return isSmall(this.#members) ? this.#members : this.#members.rows();
  }

  has(row: number): boolean {
    return isSmall(this.#members) ? this.#members.includes(row) : this.#members.get(row) !== undefined;
  }

  /** Adds a row that is not a member. */
  add(row: number): void {
    const members = this.#members;
    if (!isSmall(members)) members.add(row, row);
    // A copy has no spare capacity, which saves memory over very many buckets.
    else if (members.length < SMALL) this.#members = members.toSpliced(this.#positionOf(members, row), 0, row);
    else {
      this.#members = HashRows.underThemselves();
      for (const one of members) this.#members.add(one, one);
      this.#members.add(row, row);
    }
    this.touch(row);
  }

  /** Removes a member. */
  remove(row: number): void {
    const members = this.#members;
    if (isSmall(members)) this.#members = members.toSpliced(members.indexOf(row), 1);
    else members.remove(row);
    this.touch(row);
  }

  /** Marks the value of a row as changed. */
  touch(row: number): void {
    const entries = this.#entries;
    if (entries === undefined) return;
    this.#stale ??= new Set();
    this.#stale.add(this.#rows.key(row));
    if (this.#stale.size > entries.length / 2) {
      this.#entries = undefined;
      this.#stale = undefined;
    }
  }

  /** Whether entries are cached. */
  get keepsEntries(): boolean {
    return this.#entries !== undefined;
  }

  /** Drops cached entries that are cheap to rebuild. */
  forgetEntries(): void {
    if (this.size > SOON_MADE) return;
    this.#entries = undefined;
    this.#stale = undefined;
  }

  /** The entries in key order. `valueAt` returns the value of a member. */
  entries(valueAt: (row: number) => V | undefined): readonly Entry<V>[] {
    const members = this.#members;
    const entryOf = (row: number): Entry<V> => [this.#rows.key(row), valueAt(row) as V];
    if (isSmall(members)) return members.map(entryOf);
    if (this.#entries === undefined) this.#entries = Array.from(members.rows(), entryOf).sort(byKey);
    else if (this.#stale !== undefined) {
      this.#entries = this.#refreshed(this.#entries, this.#stale, entryOf);
      this.#stale = undefined;
    }
    return this.#entries;
  }

  #refreshed(old: readonly Entry<V>[], stale: Set<Key>, entryOf: (row: number) => Entry<V>): readonly Entry<V>[] {
    if (stale.size > 8) {
      const fresh = old.filter(([key]) => !stale.has(key));
      for (const key of stale) fresh.push(...this.#memberOf(key).map(entryOf));
      return fresh.sort(byKey);
    }
    const fresh = old.slice();
    for (const key of stale) {
      const at = entryPosition(fresh, key);
      const removed = fresh[at]?.[0] === key ? 1 : 0;
      fresh.splice(at, removed, ...this.#memberOf(key).map(entryOf));
    }
    return fresh;
  }

  /** The row of a key if it is a member, as a list of zero or one. */
  #memberOf(key: Key): readonly number[] {
    const row = this.#rows.of(key);
    return row !== NO_ROW && this.has(row) ? [row] : NO_ROWS;
  }

  /** The position of a row in key order among the members. */
  #positionOf(members: readonly number[], row: number): number {
    if (members.length === 0) return 0;
    const key = this.#rows.key(row);
    let low = 0;
    let high = members.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#rows.key(members[middle] as number) < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function isSmall(members: readonly number[] | HashRows): members is readonly number[] {
  return Array.isArray(members);
}

function byKey(a: Entry<unknown>, b: Entry<unknown>): number {
  return compareKeys(a[0], b[0]);
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
