/**
 * Short lists of rows, by row. A single row, or consecutive rows, take no list object. Rows that one item contributes
 * to are usually consecutive.
 */
import { IntColumn } from './int-column.ts';

/** Consecutive rows up to this length are encoded as first row and length in one number; longer lists are arrays. */
const MAX_IN_RUN = 15;
const MAX_ROWS = 2 ** 27;

const NO_ROWS: readonly number[] = Object.freeze([]);

export class RowLists {
  /** First row times ({@link MAX_IN_RUN} + 1), plus length; 0 if the list is empty or an array. */
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

  /** The number of rows with a list. */
  get size(): number {
    return this.#size;
  }
}

function isRun(rows: readonly number[]): boolean {
  const [first] = rows;
  if (first === undefined || first >= MAX_ROWS || rows.length > MAX_IN_RUN) return false;
  return rows.every((row, nth) => row === first + nth);
}
