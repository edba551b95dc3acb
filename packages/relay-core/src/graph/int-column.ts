/** Whole numbers by row, four bytes each, outside the heap. */

const NONE = new Int32Array(0);

/** Rows that were never set, and no rows at all, are 0. */
export class IntColumn {
  #ints: Int32Array = NONE;

  get(row: number): number {
    return this.#ints[row] ?? 0;
  }

  /** All rows are 0 again. */
  clear(): void {
    this.#ints.fill(0);
  }

  set(row: number, value: number): void {
    if (row >= this.#ints.length) {
      if (value === 0) return;
      const grown = new Int32Array(row + (row >>> 3) + 8);
      grown.set(this.#ints);
      this.#ints = grown;
    }
    this.#ints[row] = value;
  }
}
