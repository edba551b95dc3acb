/** Rows: small numbers in place of keys. What is derived item by item from a collection stands in the rows of that collection. */
import { textHash } from '../text/text-hash.ts';
import { HashRows } from './hash-rows.ts';
import type { Key } from './key.ts';
import type { KeyBytes } from './key-bytes.ts';

/** "This key has no row", where a row is expected. */
export const NO_ROW = -1;

/** Whoever takes rows frees them, at the end of a commit, when nothing stands in them any more in any collection. */
export class Rows {
  /** Keys that have come since the last {@link converge}, and those it had to leave. */
  readonly #fresh = new Map<Key, number>();
  /** The others, by hash: a quarter of the room, and several times the time. */
  readonly #settled = new HashRows();
  /** By row, where there are no bytes. */
  readonly #keys: Key[] = [];
  /** Keys that are no longer new. */
  readonly #bytes: KeyBytes | undefined;
  /** Those by row that are not among the bytes, or not yet. */
  readonly #loose = new Map<number, Key>();
  readonly #free: number[] = [];
  #end = 0;

  /** @param bytes where keys go that nothing but their rows keeps; those of others would be kept twice. Omitted: they stay as they are */
  constructor(bytes?: KeyBytes) {
    this.#bytes = bytes;
  }

  /** The row of a key; {@link NO_ROW} where it has none. */
  of(key: Key): number {
    return this.#fresh.get(key) ?? this.#settledRow(key);
  }

  /** The key of a row that is taken. */
  key(row: number): Key {
    return (this.#asItIs(row) ?? this.#bytes?.get(row)) as Key;
  }

  /** A row for a key, the one it has where it has one. */
  take(key: Key): number {
    const known = this.of(key);
    if (known !== NO_ROW) return known;
    const row = this.#free.pop() ?? this.#end++;
    if (this.#bytes === undefined) this.#keys[row] = key;
    else this.#loose.set(row, key);
    this.#fresh.set(key, row);
    return row;
  }

  free(row: number): void {
    const key = this.key(row);
    if (!this.#fresh.delete(key)) this.#settled.remove(textHash(key));
    if (this.#bytes === undefined) this.#keys[row] = '';
    else if (!this.#loose.delete(row)) this.#bytes.remove(row);
    this.#free.push(row);
  }

  /**
   * Keeps what has come since the last time in less room, key by key; to be called while nothing else is to be done. Of keys of one hash the first is kept so.
   * @param enough asked after each key that could be moved whether to stop
   * @returns whether all is done
   */
  converge(enough?: () => boolean): boolean {
    for (const [key, row] of this.#fresh) {
      const hash = textHash(key);
      if (this.#settled.get(hash) !== undefined) continue;
      this.#settled.add(hash, row);
      this.#fresh.delete(key);
      if (this.#bytes?.put(row, key) === true) this.#loose.delete(row);
      if (enough?.()) return false;
    }
    this.#bytes?.tidy(this.#end);
    return true;
  }

  /** How many rows there ever were at a time: all are below it. */
  get end(): number {
    return this.#end;
  }

  /** How many keys have a row. */
  get size(): number {
    return this.#fresh.size + this.#settled.size;
  }

  #settledRow(key: Key): number {
    if (this.#settled.size === 0) return NO_ROW;
    const row = this.#settled.get(textHash(key));
    return row !== undefined && this.#isKeyOf(row, key) ? row : NO_ROW;
  }

  #asItIs(row: number): Key | undefined {
    return this.#bytes === undefined ? this.#keys[row] : this.#loose.get(row);
  }

  #isKeyOf(row: number, key: Key): boolean {
    const known = this.#asItIs(row);
    return known === undefined ? this.#bytes?.is(row, key) === true : known === key;
  }
}

/** Sets a row of a column, which is filled up to there, so that it stays a plain array without holes. */
export function setInColumn<T>(column: T[], row: number, value: T, empty: T): void {
  while (column.length < row) column.push(empty);
  column[row] = value;
}

/** How many rows of a column are not empty; for reports. */
export function countInColumn<T>(column: readonly T[], empty: T): number {
  let count = 0;
  for (const value of column) if (value !== empty) count += 1;
  return count;
}
