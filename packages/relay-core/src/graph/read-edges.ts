/** Who read what: the edges from what transforms looked at to the items to recompute, kept as integers. */
import type { Key } from './key.ts';

/** A node whose items can be asked to run again in the running commit. */
export interface Dependent {
  /** @param item what the node called the item when its run ended: its row */
  markDirty(item: number): void;
}

/** One kind of look (the value, the presence, a bucket, its count) at one collection or index: looked-at key -> cell. */
export type EdgeTable = Map<Key, number>;

/** "This item reads nothing", where an item's number is expected. */
export const NO_READS = -1;

const NOTHING: readonly number[] = [];

/**
 * Cells are what is looked at, items are who looks; both are small integers, reused when free. Changing the reads of one item costs in
 * proportion to that item's reads; a cell that nobody reads any more does not exist.
 */
export class ReadEdges {
  // By cell number. Most cells have a single reader, which then stands there as a bare number.
  readonly #tables: EdgeTable[] = [];
  readonly #keys: Key[] = [];
  readonly #readers: (number | Set<number> | undefined)[] = [];
  readonly #freeCells: number[] = [];
  // The last run in which a cell was seen, and seen again by the item that had it before.
  readonly #seenIn: number[] = [];
  readonly #keptIn: number[] = [];
  // By item number.
  readonly #owners: (Dependent | undefined)[] = [];
  readonly #items: number[] = [];
  /** Many items of a node look at the very same things: they have the very same list. */
  readonly #reads: (readonly number[])[] = [];
  readonly #freeItems: number[] = [];
  readonly #noted: number[] = [];
  #lastNoted: readonly number[] = NOTHING;
  #run = 0;

  /** Starts recording one run of one item. */
  begin(): void {
    this.#run += 1;
    this.#noted.length = 0;
  }

  /** Records that the running item looked at a key. */
  note(table: EdgeTable, key: Key): void {
    const cell = table.get(key) ?? this.#newCell(table, key);
    if (this.#seenIn[cell] === this.#run) return;
    this.#seenIn[cell] = this.#run;
    this.#noted.push(cell);
  }

  /**
   * Ends the run: the item now reads what was noted and nothing else.
   * @returns the item's number, {@link NO_READS} when it read nothing.
   */
  end(item: number, owner: Dependent, row: number): number {
    const noted = this.#noted;
    const before = item === NO_READS ? NOTHING : (this.#reads[item] ?? NOTHING);
    if (sameNumbers(before, noted)) return item;
    if (noted.length === 0) {
      this.release(item);
      return NO_READS;
    }
    const number = item === NO_READS ? this.#newItem(owner, row) : item;
    for (const cell of before) {
      if (this.#seenIn[cell] === this.#run) this.#keptIn[cell] = this.#run;
      else this.#removeReader(cell, number);
    }
    for (const cell of noted) if (this.#keptIn[cell] !== this.#run) this.#addReader(cell, number);
    if (!sameNumbers(this.#lastNoted, noted)) this.#lastNoted = noted.slice();
    this.#reads[number] = this.#lastNoted;
    return number;
  }

  /** Forgets an item and all that it read. */
  release(item: number): void {
    for (const cell of this.#reads[item] ?? NOTHING) this.#removeReader(cell, item);
    this.#reads[item] = NOTHING;
    this.#owners[item] = undefined;
    this.#items[item] = -1;
    this.#freeItems.push(item);
  }

  /** Marks every item dirty that looked at this key. */
  wake(table: EdgeTable, key: Key): void {
    if (table.size === 0) return;
    const cell = table.get(key);
    if (cell === undefined) return;
    const readers = this.#readers[cell];
    if (typeof readers === 'number') this.#mark(readers);
    else if (readers !== undefined) for (const item of readers) this.#mark(item);
  }

  /** How many cells and items are in use. */
  get sizes(): { readonly cells: number; readonly items: number } {
    return { cells: this.#keys.length - this.#freeCells.length, items: this.#items.length - this.#freeItems.length };
  }

  #mark(item: number): void {
    this.#owners[item]?.markDirty(this.#items[item] as number);
  }

  #newCell(table: EdgeTable, key: Key): number {
    const cell = this.#freeCells.pop() ?? this.#keys.length;
    this.#tables[cell] = table;
    this.#keys[cell] = key;
    this.#readers[cell] = undefined;
    this.#seenIn[cell] = 0;
    this.#keptIn[cell] = 0;
    table.set(key, cell);
    return cell;
  }

  #newItem(owner: Dependent, row: number): number {
    const item = this.#freeItems.pop() ?? this.#items.length;
    this.#owners[item] = owner;
    this.#items[item] = row;
    return item;
  }

  #addReader(cell: number, item: number): void {
    const readers = this.#readers[cell];
    if (readers === undefined) this.#readers[cell] = item;
    else if (typeof readers === 'number') this.#readers[cell] = new Set([readers, item]);
    else readers.add(item);
  }

  #removeReader(cell: number, item: number): void {
    const readers = this.#readers[cell];
    if (typeof readers === 'object') {
      readers.delete(item);
      if (readers.size > 0) return;
    }
    this.#tables[cell]?.delete(this.#keys[cell] as Key);
    this.#readers[cell] = undefined;
    this.#keys[cell] = '';
    this.#freeCells.push(cell);
  }
}

function sameNumbers(a: readonly number[], b: readonly number[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
