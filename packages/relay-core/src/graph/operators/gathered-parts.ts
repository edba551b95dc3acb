/** Parts that items contribute to keys, by the row of the key. */

import type { Key } from '@meshrelay/plugin';
import { IntColumn } from '../rows/int-column.ts';
import type { Rows } from '../rows/rows.ts';

/** Origin of a part. */
export interface PartSource {
  /** Index of the item's input. */
  readonly side: number;
  /** The item's row in that input. */
  readonly row: number;
  /** Position among the parts of the item. */
  readonly nth: number;
}

/** One part of one item. */
export interface ContributedPart<Part> extends PartSource {
  readonly item: Key;
  part: Part;
}

/** Value in the contributor column: no contributor, or several. */
const NO_CALLERS = 0;
const SEVERAL = -1;

const NONE: readonly never[] = Object.freeze([]);

/** Maximum number of inputs of a gather. */
const MAX_SIDES = 256;

/**
 * The parts of one key are ordered by input, then by item key, then as the item returned them. The order of arrival
 * does not matter.
 */
export class GatheredParts<Part> {
  readonly #rows: readonly Rows[];
  /** A single part, which nearly all keys have, is stored bare, with its contributor in two columns. */
  readonly #parts: (Part | ContributedPart<Part>[] | undefined)[] = [];
  /** The input index and the position within the item; or {@link NO_CALLERS} or {@link SEVERAL}. */
  readonly #givers = new IntColumn();
  readonly #items = new IntColumn();
  #size = 0;

  /** @param rows rows of the items of each input */
  constructor(rows: readonly Rows[]) {
    this.#rows = rows;
  }

  /** The parts of a row, in order. */
  of(row: number): readonly Part[] {
    const partSource = this.#givers.get(row);
    if (partSource === NO_CALLERS) return NONE;
    return partSource === SEVERAL ? this.#several(row).map(({ part }) => part) : [this.#parts[row] as Part];
  }

  /** The parts of a row with their contributors, in order. */
  given(row: number): readonly ContributedPart<Part>[] {
    const partSource = this.#givers.get(row);
    if (partSource === NO_CALLERS) return NONE;
    return partSource === SEVERAL ? this.#several(row) : [this.#single(row, partSource)];
  }

  /** The part of a contributor; undefined if it contributed none to this row. */
  find(row: number, partSource: PartSource): Part | undefined {
    const given = this.given(row);
    const found = given.length === 1 ? given[0] : given[this.#locationOf(given, partSource)];
    return found !== undefined && isOf(found, partSource) ? found.part : undefined;
  }

  add(row: number, { side, row: itemRow, nth }: PartSource, part: Part): void {
    const partSource = this.#givers.get(row);
    if (partSource !== NO_CALLERS) {
      // A key may have thousands of parts: insert at the position instead of sorting again.
      const several = partSource === SEVERAL ? this.#several(row) : [this.#single(row, partSource)];
      const item = this.#rows[side]?.key(itemRow) as Key;
      const one = { side, row: itemRow, nth, item, part };
      several.splice(this.#locationOf(several, one), 0, one);
      this.#set(row, several);
      return;
    }
    while (this.#parts.length < row) this.#parts.push(undefined);
    this.#parts[row] = part;
    this.#givers.set(row, 1 + side + nth * MAX_SIDES);
    this.#items.set(row, itemRow);
    this.#size += 1;
  }

  /** Replaces an existing part. */
  revise(row: number, partSource: PartSource, part: Part): void {
    if (this.#givers.get(row) !== SEVERAL) this.#parts[row] = part;
    else {
      const several = this.#several(row);
      (several[this.#locationOf(several, partSource)] as ContributedPart<Part>).part = part;
    }
  }

  /** Removes an existing part. */
  remove(row: number, partSource: PartSource): void {
    const several = this.#givers.get(row) === SEVERAL ? this.#several(row) : NONE;
    const left = several.length - 1;
    if (left > 0) (several as ContributedPart<Part>[]).splice(this.#locationOf(several, partSource), 1);
    if (left > 1) return;
    this.#parts[row] = undefined;
    this.#givers.set(row, NO_CALLERS);
    this.#size -= 1;
    const [last] = several;
    if (left === 1 && last !== undefined) this.add(row, last, last.part);
  }

  has(row: number): boolean {
    return this.#givers.get(row) !== NO_CALLERS;
  }

  /** The rows with parts. */
  *rows(): Iterable<number> {
    for (let row = 0; row < this.#parts.length; row++) if (this.has(row)) yield row;
  }

  /** The number of rows with parts. */
  get size(): number {
    return this.#size;
  }

  /** The position, or insertion position, of a contributor's part in a row. */
  #locationOf(parts: readonly ContributedPart<Part>[], { side, row, nth }: PartSource): number {
    const one = { side, item: this.#rows[side]?.key(row) as Key, nth };
    let [low, high] = [0, parts.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (inOrder(parts[middle] as ContributedPart<Part>, one) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #set(row: number, several: ContributedPart<Part>[]): void {
    this.#parts[row] = several;
    this.#givers.set(row, SEVERAL);
  }

  #several(row: number): ContributedPart<Part>[] {
    return this.#parts[row] as ContributedPart<Part>[];
  }

  #single(row: number, partSource: number): ContributedPart<Part> {
    const side = (partSource - 1) % MAX_SIDES;
    const itemRow = this.#items.get(row);
    const nth = (partSource - 1 - side) / MAX_SIDES;
    return { side, row: itemRow, nth, item: this.#rows[side]?.key(itemRow) as Key, part: this.#parts[row] as Part };
  }
}

function isOf(part: PartSource, { side, row, nth }: PartSource): boolean {
  return part.side === side && part.row === row && part.nth === nth;
}

type PartLocation = Pick<ContributedPart<unknown>, 'side' | 'item' | 'nth'>;

function inOrder(a: PartLocation, b: PartLocation): number {
  return a.side - b.side || (a.item < b.item ? -1 : a.item > b.item ? 1 : a.nth - b.nth);
}
