/** Whole numbers by row, four bytes each, outside the heap. */

const NONE = new Int32Array(0);

/** Where rows are taken. */
interface TakenRows {
  /** All of them are below it. */
  readonly end: number;
}

/** Rows that were never set, and no rows at all, are 0. */
export class IntColumn {
  readonly #rows: TakenRows | undefined;
  #ints: Int32Array = NONE;

  /** @param rows those it is of, where they are known: it then has room for all of them at once */
  constructor(rows?: TakenRows) {
    this.#rows = rows;
  }

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
      const grown = new Int32Array(Math.max(row + (row >>> 3) + 8, this.#rows?.end ?? 0));
      grown.set(this.#ints);
      this.#ints = grown;
    }
    this.#ints[row] = value;
  }
}
