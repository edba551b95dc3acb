/** The parts that items have given to keys, by the row of the key. */
import { IntColumn } from './int-column.ts';
import type { Key } from './key.ts';
import type { Rows } from './rows.ts';

/** Whose part it is. */
export interface PartSource {
  /** Which of the inputs the item is of. */
  readonly side: number;
  /** The item's row in that input. */
  readonly row: number;
  /** Its place among what the item gives. */
  readonly nth: number;
}

/** One part of one item. */
export interface ContributedPart<Part> extends PartSource {
  readonly item: Key;
  part: Part;
}

/** Instead of a giver: nobody, or several. */
const NO_CALLERS = 0;
const SEVERAL = -1;

const NONE: readonly never[] = Object.freeze([]);

/** So many inputs a gather may have. */
const MAX_SIDES = 256;

/** Parts of one key stand in the order of the inputs, then of the items' keys, then as the item gave them: whoever came first. */
export class GatheredParts<Part> {
  readonly #rows: readonly Rows[];
  /** A key with a single part, as nearly all have, has it here bare, and its giver in two columns. */
  readonly #parts: (Part | ContributedPart<Part>[] | undefined)[] = [];
  /** The side, and the place among what the item gives; or {@link NO_CALLERS} or {@link SEVERAL}. */
  readonly #givers = new IntColumn();
  readonly #items = new IntColumn();
  #size = 0;

  /** @param rows where the items of each input stand */
  constructor(rows: readonly Rows[]) {
    this.#rows = rows;
  }

  /** The parts of a row, in order. */
  of(row: number): readonly Part[] {
    const partSource = this.#givers.get(row);
    if (partSource === NO_CALLERS) return NONE;
    return partSource === SEVERAL ? this.#several(row).map(({ part }) => part) : [this.#parts[row] as Part];
  }

  /** The parts of a row with their givers, in order. */
  given(row: number): readonly ContributedPart<Part>[] {
    const partSource = this.#givers.get(row);
    if (partSource === NO_CALLERS) return NONE;
    return partSource === SEVERAL ? this.#several(row) : [this.#single(row, partSource)];
  }

  /** The part of a giver; undefined where it gave none here. */
  find(row: number, partSource: PartSource): Part | undefined {
    const given = this.given(row);
    const found = given.length === 1 ? given[0] : given[this.#locationOf(given, partSource)];
    return found !== undefined && isOf(found, partSource) ? found.part : undefined;
  }

  add(row: number, { side, row: itemRow, nth }: PartSource, part: Part): void {
    const partSource = this.#givers.get(row);
    if (partSource !== NO_CALLERS) {
      // There may be thousands: they are put into their place, not in order anew.
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

  /** Another part in place of one that there is. */
  revise(row: number, partSource: PartSource, part: Part): void {
    if (this.#givers.get(row) !== SEVERAL) this.#parts[row] = part;
    else {
      const several = this.#several(row);
      (several[this.#locationOf(several, partSource)] as ContributedPart<Part>).part = part;
    }
  }

  /** Takes away one that there is. */
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

  /** The rows that have parts. */
  *rows(): Iterable<number> {
    for (let row = 0; row < this.#parts.length; row++) if (this.has(row)) yield row;
  }

  /** How many rows have parts. */
  get size(): number {
    return this.#size;
  }

  /** Where the part of a giver stands among those of a row, or would. */
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
