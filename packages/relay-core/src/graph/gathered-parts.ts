/** The parts that items have given to keys, by the row of the key. */
import { IntColumn } from './int-column.ts';
import type { Key } from './key.ts';
import type { Rows } from './rows.ts';

/** Whose part it is. */
export interface Giver {
  /** Which of the inputs the item is of. */
  readonly side: number;
  /** The item's row in that input. */
  readonly row: number;
  /** Its place among what the item gives. */
  readonly nth: number;
}

/** One part of one item. */
export interface GivenPart<Part> extends Giver {
  readonly item: Key;
  part: Part;
}

/** Instead of a giver: nobody, or several. */
const NOBODY = 0;
const SEVERAL = -1;

const NONE: readonly never[] = Object.freeze([]);

/** So many inputs a gather may have. */
const MOST_SIDES = 256;

/** Parts of one key stand in the order of the inputs, then of the items' keys, then as the item gave them: whoever came first. */
export class GatheredParts<Part> {
  readonly #rows: readonly Rows[];
  /** A key with a single part, as nearly all have, has it here bare, and its giver in two columns. */
  readonly #parts: (Part | GivenPart<Part>[] | undefined)[] = [];
  /** The side, and the place among what the item gives; or {@link NOBODY} or {@link SEVERAL}. */
  readonly #givers = new IntColumn();
  readonly #items = new IntColumn();
  #size = 0;

  /** @param rows where the items of each input stand */
  constructor(rows: readonly Rows[]) {
    this.#rows = rows;
  }

  /** The parts of a row, in order. */
  of(row: number): readonly Part[] {
    const giver = this.#givers.get(row);
    if (giver === NOBODY) return NONE;
    return giver === SEVERAL ? this.#several(row).map(({ part }) => part) : [this.#parts[row] as Part];
  }

  /** The parts of a row with their givers, in order. */
  given(row: number): readonly GivenPart<Part>[] {
    const giver = this.#givers.get(row);
    if (giver === NOBODY) return NONE;
    return giver === SEVERAL ? this.#several(row) : [this.#single(row, giver)];
  }

  /** The part of a giver; undefined where it gave none here. */
  find(row: number, giver: Giver): Part | undefined {
    const given = this.given(row);
    const found = given.length === 1 ? given[0] : given[this.#placeOf(given, giver)];
    return found !== undefined && isOf(found, giver) ? found.part : undefined;
  }

  add(row: number, { side, row: itemRow, nth }: Giver, part: Part): void {
    const giver = this.#givers.get(row);
    if (giver !== NOBODY) {
      // There may be thousands: they are put into their place, not in order anew.
      const several = giver === SEVERAL ? this.#several(row) : [this.#single(row, giver)];
      const item = this.#rows[side]?.key(itemRow) as Key;
      const one = { side, row: itemRow, nth, item, part };
      several.splice(this.#placeOf(several, one), 0, one);
      this.#set(row, several);
      return;
    }
    while (this.#parts.length < row) this.#parts.push(undefined);
    this.#parts[row] = part;
    this.#givers.set(row, 1 + side + nth * MOST_SIDES);
    this.#items.set(row, itemRow);
    this.#size += 1;
  }

  /** Another part in place of one that there is. */
  revise(row: number, giver: Giver, part: Part): void {
    if (this.#givers.get(row) !== SEVERAL) this.#parts[row] = part;
    else {
      const several = this.#several(row);
      (several[this.#placeOf(several, giver)] as GivenPart<Part>).part = part;
    }
  }

  /** Takes away one that there is. */
  remove(row: number, giver: Giver): void {
    const several = this.#givers.get(row) === SEVERAL ? this.#several(row) : NONE;
    const left = several.length - 1;
    if (left > 0) (several as GivenPart<Part>[]).splice(this.#placeOf(several, giver), 1);
    if (left > 1) return;
    this.#parts[row] = undefined;
    this.#givers.set(row, NOBODY);
    this.#size -= 1;
    const [last] = several;
    if (left === 1 && last !== undefined) this.add(row, last, last.part);
  }

  has(row: number): boolean {
    return this.#givers.get(row) !== NOBODY;
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
  #placeOf(parts: readonly GivenPart<Part>[], { side, row, nth }: Giver): number {
    const one = { side, item: this.#rows[side]?.key(row) as Key, nth };
    let [low, high] = [0, parts.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (inOrder(parts[middle] as GivenPart<Part>, one) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #set(row: number, several: GivenPart<Part>[]): void {
    this.#parts[row] = several;
    this.#givers.set(row, SEVERAL);
  }

  #several(row: number): GivenPart<Part>[] {
    return this.#parts[row] as GivenPart<Part>[];
  }

  #single(row: number, giver: number): GivenPart<Part> {
    const side = (giver - 1) % MOST_SIDES;
    const itemRow = this.#items.get(row);
    const nth = (giver - 1 - side) / MOST_SIDES;
    return { side, row: itemRow, nth, item: this.#rows[side]?.key(itemRow) as Key, part: this.#parts[row] as Part };
  }
}

function isOf(part: Giver, { side, row, nth }: Giver): boolean {
  return part.side === side && part.row === row && part.nth === nth;
}

type Place = Pick<GivenPart<unknown>, 'side' | 'item' | 'nth'>;

function inOrder(a: Place, b: Place): number {
  return a.side - b.side || (a.item < b.item ? -1 : a.item > b.item ? 1 : a.nth - b.nth);
}
