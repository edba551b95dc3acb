/** Rows: small numbers instead of keys. A store derived item by item from a collection shares its rows. */

import type { Key } from '@meshrelay/plugin';
import { textHash } from '../../text/text-hash.ts';
import { HashRows } from './hash-rows.ts';
import type { KeyBytes } from './key-bytes.ts';

/** Result for a key without a row. */
export const NO_ROW = -1;

/** Assigns rows to keys. The owner frees a row at the end of a commit, once no collection has a value in it. */
export class Rows {
  /** Keys added since the last {@link converge}, and keys whose hash was taken. */
  readonly #fresh = new Map<Key, number>();
  /** The other keys by hash: a quarter of the memory, at several times the lookup time. */
  readonly #settled = new HashRows();
  /** By row, if the keys are not stored as bytes. */
  readonly #keys: Key[] = [];
  /** Older keys. */
  readonly #bytes: KeyBytes | undefined;
  /** By row: keys that are not, or not yet, stored as bytes. */
  readonly #loose = new Map<number, Key>();
  readonly #free: number[] = [];
  #end = 0;

  /**
   * @param bytes byte storage for keys that no value references; referenced keys would be stored twice. If omitted,
   * keys stay strings
   */
  constructor(bytes?: KeyBytes) {
    this.#bytes = bytes;
  }

  /** The row of a key; {@link NO_ROW} if it has none. */
  of(key: Key): number {
    return this.#fresh.get(key) ?? this.#settledRow(key);
  }

  /** The key of a row in use. */
  key(row: number): Key {
    return (this.#asItIs(row) ?? this.#bytes?.get(row)) as Key;
  }

  /** Returns the row of a key, and assigns one if needed. */
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
   * Compacts the keys added since the last call, one by one. Call it when idle. If several keys have one hash, only the
   * first is compacted.
   * @param enough polled after each compacted key; returns true to stop
   * @returns whether compaction is complete
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

  /** Upper bound of all rows: the most that were ever in use at once. */
  get end(): number {
    return this.#end;
  }

  /** The number of keys with a row. */
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

/** Sets a row of a column. Fills the column up to the row, so that it stays a plain array without holes. */
export function setInColumn<T>(column: T[], row: number, value: T, empty: T): void {
  while (column.length < row) column.push(empty);
  column[row] = value;
}

/** The number of non-empty rows of a column; for reports. */
export function countInColumn<T>(column: readonly T[], empty: T): number {
  let count = 0;
  for (const value of column) if (value !== empty) count += 1;
  return count;
}
