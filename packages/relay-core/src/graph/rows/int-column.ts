/** Integers by row, four bytes each, outside the heap. */

const NONE = new Int32Array(0);

/** The rows in use. */
interface TakenRows {
  /** All rows are below it. */
  readonly end: number;
}

/** Column of integers. A row that was never set, or is out of range, reads as 0. */
export class IntColumn {
  readonly #rows: TakenRows | undefined;
  #ints: Int32Array = NONE;

  /** @param rows rows of the column, if known; the column then allocates all of them at once */
  constructor(rows?: TakenRows) {
    this.#rows = rows;
  }

  get(row: number): number {
    return this.#ints[row] ?? 0;
  }

  /** Resets all rows to 0. */
  clear(): void {
    this.#ints.fill(0);
  }

  set(row: number, value: number): void {
    if (row >= this.#ints.length) {
      if (value === 0) return;
      const grown = new Int32Array(Math.max(row + (row >>> 3) + 8, this.#rows?.end ?? 0));
      grown.set(this.#ints);
      this.#ints = grown;
    }
    this.#ints[row] = value;
  }
}
