/** Read edges: from what transforms read to the items to recompute, stored as integers. */

import type { Key } from '@meshrelay/plugin';
import { IntColumn } from '../rows/int-column.ts';
import { type NumberSet, numbersIn, withNumber, withoutNumber } from '../rows/number-set.ts';
import type { Rows } from '../rows/rows.ts';

/** A node whose items can be scheduled to run again in the running commit. */
export interface Dependent {
  /** The reads of its items. */
  readonly reads: ItemReads;
  /** @param row row of the item */
  markDirty(row: number): void;
}

/** One kind of read (value, presence, bucket, count) of one collection or index: key read -> cell. */
export type EdgeTable = Map<Key, number>;

/** Runs are counted in four bytes. */
const MAX_RUNS = 2 ** 31 - 1;

/** No item: a list without readers. */
const NONE = -1;

/** No list: an item without reads. */
const NO_LIST = 0;

/** The reads of one node's items. */
export class ItemReads {
  /** By row: the list of its reads. */
  readonly lists: IntColumn;
  /** By row: the next item with the same list, in a ring. */
  readonly next: IntColumn;
  /** By row: the previous item of the ring. */
  readonly previous: IntColumn;
  /** Lists of this node by hash, the newest first. */
  readonly byHash: Map<number, number> = new Map();
  /** The number of items with reads. */
  size = 0;

  /** @param rows rows of the items */
  constructor(rows: Rows) {
    this.lists = new IntColumn(rows);
    this.next = new IntColumn(rows);
    this.previous = new IntColumn(rows);
  }
}

/**
 * A cell is one key that is read. Items of a node that read exactly the same cells share one list of them. A cell
 * refers to lists, not to items. Cells and lists are small integers that are reused when free; a cell or list without
 * readers does not exist.
 */
export class ReadEdges {
  // By cell number.
  readonly #tables: EdgeTable[] = [];
  readonly #keys: Key[] = [];
  readonly #listsWith: NumberSet[] = [];
  readonly #freeCells: number[] = [];
  /** The last run that read the cell. */
  readonly #seenIn = new IntColumn();
  /** The last rewrite of a list that retained the cell. */
  readonly #packedIn = new IntColumn();
  // By list number; list 0 is unused.
  /** A list of one cell, a very common case, is stored as the bare cell. */
  readonly #cells: (number | readonly number[])[] = [[]];
  readonly #owners: (Dependent | undefined)[] = [undefined];
  /** The row of one of the items; the ring leads to the others. */
  readonly #first: number[] = [NONE];
  readonly #hashes = new IntColumn();
  /** The next list of the same node with the same hash. */
  readonly #next = new IntColumn();
  readonly #freeLists: number[] = [];
  /**
   * Cells read so far in the run: the first `#notedCount`. Never truncated, because setting the length costs more than
   * a whole run.
   */
  readonly #noted: number[] = [];
  #notedCount = 0;
  #itemCount = 0;
  #run = 0;

  /** Starts recording a run of one item. */
  begin(): void {
    this.#run += 1;
    if (this.#run === MAX_RUNS) this.#recount();
    this.#notedCount = 0;
  }

  /** Records that the running item read a key. */
  note(table: EdgeTable, key: Key): void {
    const cell = table.get(key) ?? this.#newCell(table, key);
    if (this.#seenIn.get(cell) === this.#run) return;
    this.#seenIn.set(cell, this.#run);
    this.#noted[this.#notedCount++] = cell;
  }

  /** Ends the run: the item's reads are now exactly those recorded. `isNew`: the item never ran before. */
  end(owner: Dependent, row: number, isNew: boolean): void {
    const { reads } = owner;
    const before = isNew ? NO_LIST : reads.lists.get(row);
    if (this.#isNoted(before)) return;
    if (this.#notedCount === 0) {
      this.release(owner, row);
      return;
    }
    const hash = hashOf(this.#noted, this.#notedCount);
    const known = this.#find(reads, hash);
    if (known === NO_LIST && before !== NO_LIST && reads.next.get(row) === row) {
      this.#rewrite(before, hash);
      return;
    }
    const list = known === NO_LIST ? this.#newList(owner, hash) : known;
    if (before !== NO_LIST) this.#leave(reads, row, before);
    this.#enter(reads, row, list);
  }

  /** Removes an item and all its reads. */
  release(owner: Dependent, row: number): void {
    const { reads } = owner;
    const list = reads.lists.get(row);
    if (list === NO_LIST) return;
    this.#leave(reads, row, list);
    reads.lists.set(row, NO_LIST);
  }

  /** Marks every item dirty that read this key. */
  wake(table: EdgeTable, key: Key): void {
    if (table.size === 0) return;
    const cell = table.get(key);
    if (cell === undefined) return;
    for (const list of numbersIn(this.#listsWith[cell])) this.#mark(list);
  }

  /** The number of cells, lists and items in use. */
  get sizes(): { readonly cells: number; readonly lists: number; readonly items: number } {
    return {
      cells: this.#keys.length - this.#freeCells.length,
      lists: this.#cells.length - 1 - this.#freeLists.length,
      items: this.#itemCount,
    };
  }

  #recount(): void {
    this.#run = 1;
    this.#seenIn.clear();
    this.#packedIn.clear();
  }

  #mark(list: number): void {
    const owner = this.#owners[list] as Dependent;
    const first = this.#first[list] as number;
    let row = first;
    do {
      owner.markDirty(row);
      row = owner.reads.next.get(row);
    } while (row !== first);
  }

  #newCell(table: EdgeTable, key: Key): number {
    const cell = this.#freeCells.pop() ?? this.#keys.length;
    this.#tables[cell] = table;
    this.#keys[cell] = key;
    this.#listsWith[cell] = undefined;
    table.set(key, cell);
    return cell;
  }

  /** Whether a list has exactly the recorded cells. */
  #isNoted(list: number): boolean {
    const cells = this.#cells[list] as number | readonly number[];
    if (typeof cells === 'number') return this.#notedCount === 1 && cells === this.#noted[0];
    if (cells.length !== this.#notedCount) return false;
    for (let i = 0; i < cells.length; i++) if (cells[i] !== this.#noted[i]) return false;
    return true;
  }

  #notedCells(): number | readonly number[] {
    return this.#notedCount === 1 ? (this.#noted[0] as number) : this.#noted.slice(0, this.#notedCount);
  }

  #cellsOf(list: number): readonly number[] {
    const cells = this.#cells[list] as number | readonly number[];
    return typeof cells === 'number' ? [cells] : cells;
  }

  /** The list of a node with exactly the recorded cells. */
  #find(reads: ItemReads, hash: number): number {
    let list = reads.byHash.get(hash) ?? NO_LIST;
    while (list !== NO_LIST && !this.#isNoted(list)) list = this.#next.get(list);
    return list;
  }

  #newList(owner: Dependent, hash: number): number {
    const list = this.#freeLists.pop() ?? this.#cells.length;
    this.#owners[list] = owner;
    this.#first[list] = NONE;
    this.#name(owner.reads, list, hash);
    this.#cells[list] = this.#notedCells();
    for (let i = 0; i < this.#notedCount; i++) this.#addList(this.#noted[i] as number, list);
    return list;
  }

  /** Replaces the list of a single item by the recorded cells. Only changed cells cost more than a comparison. */
  #rewrite(list: number, hash: number): void {
    const { reads } = this.#owners[list] as Dependent;
    this.#unname(reads, list);
    this.#name(reads, list, hash);
    for (const cell of this.#cellsOf(list)) {
      if (this.#seenIn.get(cell) === this.#run) this.#packedIn.set(cell, this.#run);
      else this.#removeList(cell, list);
    }
    for (let i = 0; i < this.#notedCount; i++) {
      const cell = this.#noted[i] as number;
      if (this.#packedIn.get(cell) !== this.#run) this.#addList(cell, list);
    }
    this.#cells[list] = this.#notedCells();
  }

  #dropList(reads: ItemReads, list: number): void {
    for (const cell of this.#cellsOf(list)) this.#removeList(cell, list);
    this.#unname(reads, list);
    this.#cells[list] = [];
    this.#owners[list] = undefined;
    this.#first[list] = NONE;
    this.#freeLists.push(list);
  }

  #name({ byHash }: ItemReads, list: number, hash: number): void {
    this.#hashes.set(list, hash);
    this.#next.set(list, byHash.get(hash) ?? NO_LIST);
    byHash.set(hash, list);
  }

  #unname({ byHash }: ItemReads, list: number): void {
    const hash = this.#hashes.get(list);
    const next = this.#next.get(list);
    const first = byHash.get(hash) as number;
    if (first !== list) {
      let at = first;
      while (this.#next.get(at) !== list) at = this.#next.get(at);
      this.#next.set(at, next);
    } else if (next === NO_LIST) byHash.delete(hash);
    else byHash.set(hash, next);
  }

  #enter(reads: ItemReads, row: number, list: number): void {
    const first = this.#first[list] as number;
    if (first === NONE) {
      this.#first[list] = row;
      link(reads, row, row);
    } else {
      link(reads, reads.previous.get(first), row);
      link(reads, row, first);
    }
    reads.lists.set(row, list);
    reads.size += 1;
    this.#itemCount += 1;
  }

  #leave(reads: ItemReads, row: number, list: number): void {
    reads.size -= 1;
    this.#itemCount -= 1;
    const next = reads.next.get(row);
    if (next === row) {
      this.#dropList(reads, list);
      return;
    }
    link(reads, reads.previous.get(row), next);
    this.#first[list] = next;
  }

  #addList(cell: number, list: number): void {
    this.#listsWith[cell] = withNumber(this.#listsWith[cell], list);
  }

  #removeList(cell: number, list: number): void {
    const rest = withoutNumber(this.#listsWith[cell], list);
    this.#listsWith[cell] = rest;
    if (rest !== undefined) return;
    this.#tables[cell]?.delete(this.#keys[cell] as Key);
    this.#keys[cell] = '';
    this.#seenIn.set(cell, 0);
    this.#packedIn.set(cell, 0);
    this.#freeCells.push(cell);
  }
}

/** Links two items of a ring. */
function link({ next, previous }: ItemReads, before: number, after: number): void {
  next.set(before, after);
  previous.set(after, before);
}

function hashOf(cells: readonly number[], count: number): number {
  let hash = count;
  for (let i = 0; i < count; i++) hash = Math.imul(hash ^ (cells[i] as number), 0x9e37_79b1) ^ (hash >>> 15);
  return hash | 0;
}
