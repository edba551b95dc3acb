/** A set of pairs that can be walked from either side. */
import { HashRows } from './hash-rows.ts';
import type { Key } from './key.ts';
import { NO_KEYS } from './key-list.ts';
import { RowLists } from './row-lists.ts';
import type { Rows } from './rows.ts';

/** Few lefts look for very many rights, nearly all of which are found by one of them. Items have rows for as long as they are in any pair. */
export class PairTable {
  readonly #lefts: Rows;
  readonly #rights: Rows;
  /** By row of the left: its rights, each under itself. */
  readonly #rightsOf = new Map<number, HashRows>();
  /** By row of the right. */
  readonly #leftsOf = new RowLists();

  constructor(lefts: Rows, rights: Rows) {
    this.#lefts = lefts;
    this.#rights = rights;
  }

  has(left: Key, right: Key): boolean {
    if (this.#rightsOf.size === 0) return false;
    return this.#rightsOf.get(this.#lefts.of(left))?.get(this.#rights.of(right)) !== undefined;
  }

  /** The rights paired with a left; their order says nothing. */
  ofLeft(left: Key): Iterable<Key> {
    const rights = this.#rightsOf.get(this.#lefts.of(left));
    return rights === undefined ? NO_KEYS : Array.from(rights.rows(), (row) => this.#rights.key(row));
  }

  /** The lefts paired with a right. */
  ofRight(right: Key): Iterable<Key> {
    return this.#leftsOf.get(this.#rights.of(right)).map((row) => this.#lefts.key(row));
  }

  hasRight(right: Key): boolean {
    return this.#leftsOf.has(this.#rights.of(right));
  }

  /** Adds a pair that is not there. */
  add(left: Key, right: Key): void {
    const [leftRow, rightRow] = [this.#lefts.of(left), this.#rights.of(right)];
    const rights = this.#rightsOf.get(leftRow) ?? HashRows.underThemselves();
    this.#rightsOf.set(leftRow, rights);
    rights.add(rightRow, rightRow);
    this.#leftsOf.set(rightRow, [...this.#leftsOf.get(rightRow), leftRow]);
  }

  /** Takes a pair away, where it is there. */
  delete(left: Key, right: Key): void {
    if (!this.has(left, right)) return;
    const [leftRow, rightRow] = [this.#lefts.of(left), this.#rights.of(right)];
    const rights = this.#rightsOf.get(leftRow) as HashRows;
    rights.remove(rightRow);
    if (rights.size === 0) this.#rightsOf.delete(leftRow);
    this.#leftsOf.set(
      rightRow,
      this.#leftsOf.get(rightRow).filter((one) => one !== leftRow),
    );
  }

  /** How many lefts and rights are in any pair. */
  get size(): number {
    return this.#rightsOf.size + this.#leftsOf.size;
  }
}
