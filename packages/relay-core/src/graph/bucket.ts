/** One bucket of an index: the rows of its members, and, where they are many, their entries in key order once somebody has asked for them. */
import { HashRows } from './hash-rows.ts';
import { compareKeys, type Key } from './key.ts';
import { NO_ROW, type Rows } from './rows.ts';

/** Up to this many members stand in a plain array, and nothing is kept but that; most buckets are this small, and there are very many of them. */
const SMALL = 32;
/** Up to this many entries are rather made again than kept while nothing is to be done. */
const SOON_MADE = 256;

type Entry<V> = readonly [Key, V];

const NO_ROWS: readonly number[] = Object.freeze([]);

/**
 * Adding and removing members costs O(1) beyond {@link SMALL} members, since nothing is sorted before it is read. Handed-out entry lists
 * never change: the next read gets a new one, made from the last and what has changed since.
 */
export class Bucket<V> {
  readonly #rows: Rows;
  /** In key order while small; else each row under itself. */
  #members: readonly number[] | HashRows = NO_ROWS;
  #entries: readonly Entry<V>[] | undefined;
  /** Members added, removed or changed since the entries were made. By key: the row of one that has gone may be another's by now. */
  #stale: Set<Key> | undefined;

  /** @param rows where the members stand */
  constructor(rows: Rows) {
    this.#rows = rows;
  }

  get size(): number {
    return isSmall(this.#members) ? this.#members.length : this.#members.size;
  }

  /** Rows; their order says nothing. */
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
    // Copies have no room to spare, which adds up over very many buckets.
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

  /** Tells that the value of a row has changed. */
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

  /** Whether there are entries that somebody has asked for. */
  get keepsEntries(): boolean {
    return this.#entries !== undefined;
  }

  /** Lets go of entries that are soon made again. */
  forgetEntries(): void {
    if (this.size > SOON_MADE) return;
    this.#entries = undefined;
    this.#stale = undefined;
  }

  /** The entries in key order. `valueAt` gives the value of a member. */
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

  /** The row of a key, if that is a member. */
  #memberOf(key: Key): readonly number[] {
    const row = this.#rows.of(key);
    return row !== NO_ROW && this.has(row) ? [row] : NO_ROWS;
  }

  /** Where a row would stand among those in key order. */
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
