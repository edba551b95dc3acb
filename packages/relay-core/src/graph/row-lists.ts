/** Short lists of rows by row. A single row, and rows that were taken one after the other, as those that one item gives to mostly are, need no list. */
import { IntColumn } from './int-column.ts';

/** Such a run is its first row and its length in one number; longer ones are lists. */
const MAX_IN_RUN = 15;
const MAX_ROWS = 2 ** 27;

const NO_ROWS: readonly number[] = Object.freeze([]);

export class RowLists {
  /** First row times {@link MAX_IN_RUN} + 1, plus length; 0 where there is no run. */
  readonly #runs = new IntColumn();
  readonly #lists = new Map<number, readonly number[]>();
  #size = 0;

  get(row: number): readonly number[] {
    const run = this.#runs.get(row);
    if (run === 0) return (this.#lists.size > 0 ? this.#lists.get(row) : undefined) ?? NO_ROWS;
    const first = Math.floor(run / (MAX_IN_RUN + 1));
    return Array.from({ length: run % (MAX_IN_RUN + 1) }, (_, nth) => first + nth);
  }

  has(row: number): boolean {
    return this.#runs.get(row) !== 0 || this.#lists.has(row);
  }

  set(row: number, rows: readonly number[]): void {
    const had = this.#runs.get(row) !== 0 || this.#lists.delete(row);
    this.#size += (rows.length > 0 ? 1 : 0) - (had ? 1 : 0);
    const isShort = isRun(rows);
    this.#runs.set(row, isShort ? (rows[0] as number) * (MAX_IN_RUN + 1) + rows.length : 0);
    if (!isShort && rows.length > 0) this.#lists.set(row, rows);
  }

  /** How many rows have a list. */
  get size(): number {
    return this.#size;
  }
}

function isRun(rows: readonly number[]): boolean {
  const [first] = rows;
  if (first === undefined || first >= MAX_ROWS || rows.length > MAX_IN_RUN) return false;
  return rows.every((row, nth) => row === first + nth);
}
