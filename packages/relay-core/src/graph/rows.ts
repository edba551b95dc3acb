/** Rows: small numbers in place of keys. What is derived item by item from a collection stands in the rows of that collection. */
import type { Key } from './key.ts';

/** "This key has no row", where a row is expected. */
export const NO_ROW = -1;

/** Whoever takes rows frees them, at the end of a commit, when nothing stands in them any more in any collection. */
export class Rows {
  readonly #rows = new Map<Key, number>();
  readonly #keys: Key[] = [];
  readonly #free: number[] = [];

  /** The row of a key; {@link NO_ROW} where it has none. */
  of(key: Key): number {
    return this.#rows.get(key) ?? NO_ROW;
  }

  /** The key of a row that is taken. */
  key(row: number): Key {
    return this.#keys[row] as Key;
  }

  /** A row for a key, the one it has where it has one. */
  take(key: Key): number {
    const known = this.#rows.get(key);
    if (known !== undefined) return known;
    const row = this.#free.pop() ?? this.#keys.length;
    this.#keys[row] = key;
    this.#rows.set(key, row);
    return row;
  }

  free(row: number): void {
    this.#rows.delete(this.key(row));
    this.#keys[row] = '';
    this.#free.push(row);
  }

  /** How many keys have a row. */
  get size(): number {
    return this.#rows.size;
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
