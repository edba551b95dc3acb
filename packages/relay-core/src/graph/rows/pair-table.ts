/** A set of pairs with lookup from either side. An item is identified by its row. */
import { HashRows } from './hash-rows.ts';
import { RowLists } from './row-lists.ts';

const NO_ROWS: readonly number[] = Object.freeze([]);

/**
 * Assumes few left items that search for very many right items, most of which only one left item finds. An item has a
 * row while it is in any pair.
 */
export class PairTable {
  /** By left: its rights, each row as its own hash. */
  readonly #rightsOf = new Map<number, HashRows>();
  /** By right. */
  readonly #leftsOf = new RowLists();

  has(left: number, right: number): boolean {
    if (this.#rightsOf.size === 0) return false;
    return this.#rightsOf.get(left)?.get(right) !== undefined;
  }

  /** The rights paired with a left, in no particular order. */
  ofLeft(left: number): readonly number[] {
    const rights = this.#rightsOf.get(left);
    return rights === undefined ? NO_ROWS : [...rights.rows()];
  }

  countOfLeft(left: number): number {
    return this.#rightsOf.get(left)?.size ?? 0;
  }

  /** The lefts paired with a right. */
  ofRight(right: number): readonly number[] {
    return this.#leftsOf.get(right);
  }

  countOfRight(right: number): number {
    return this.#leftsOf.get(right).length;
  }

  hasRight(right: number): boolean {
    return this.#leftsOf.has(right);
  }

  /** Adds a new pair. */
  add(left: number, right: number): void {
    let rights = this.#rightsOf.get(left);
    if (rights === undefined) {
      rights = HashRows.underThemselves();
      this.#rightsOf.set(left, rights);
    }
    rights.add(right, right);
    this.#leftsOf.set(right, this.#leftsOf.has(right) ? [...this.#leftsOf.get(right), left] : [left]);
  }

  /** Removes a pair if it exists. */
  delete(left: number, right: number): void {
    const rights = this.#rightsOf.get(left);
    if (rights?.get(right) === undefined) return;
    rights.remove(right);
    if (rights.size === 0) this.#rightsOf.delete(left);
    this.#leftsOf.set(
      right,
      this.#leftsOf.get(right).filter((one) => one !== left),
    );
  }

  /** The number of lefts and rights that are in any pair. */
  get size(): number {
    return this.#rightsOf.size + this.#leftsOf.size;
  }
}
