/** The parts that items have given to keys, by the row of the key. */
import type { Key } from './key.ts';

/** One part of one item. */
export interface GivenPart<Part> {
  /** Which of the inputs the item is of. */
  readonly side: number;
  readonly item: Key;
  /** Its place among what the item gives. */
  readonly nth: number;
  part: Part;
}

const NONE: readonly never[] = Object.freeze([]);

/** Parts of one key stand in the order of the inputs, then of the items' keys, then as the item gave them: whoever came first. */
export class GatheredParts<Part> {
  /** A key with a single part, as nearly all have, has it here bare. */
  readonly #parts: (GivenPart<Part> | GivenPart<Part>[] | undefined)[] = [];
  #size = 0;

  /** All parts of a row, in order. */
  of(row: number): readonly GivenPart<Part>[] {
    const parts = this.#parts[row];
    return parts === undefined ? NONE : Array.isArray(parts) ? parts : [parts];
  }

  /** What they are made of alone, in order. */
  partsOf(row: number): readonly Part[] {
    const parts = this.#parts[row];
    if (parts === undefined) return NONE;
    return Array.isArray(parts) ? parts.map(({ part }) => part) : [parts.part];
  }

  find(row: number, side: number, item: Key, nth: number): GivenPart<Part> | undefined {
    const parts = this.#parts[row];
    const fits = (one: GivenPart<Part>): boolean => one.side === side && one.nth === nth && one.item === item;
    if (parts === undefined) return undefined;
    return Array.isArray(parts) ? parts.find(fits) : fits(parts) ? parts : undefined;
  }

  add(row: number, given: GivenPart<Part>): void {
    const parts = this.#parts[row];
    if (parts === undefined) {
      while (this.#parts.length < row) this.#parts.push(undefined);
      this.#parts[row] = given;
      this.#size += 1;
    } else this.#parts[row] = [...(Array.isArray(parts) ? parts : [parts]), given].sort(inOrder);
  }

  remove(row: number, given: GivenPart<Part>): void {
    const parts = this.#parts[row];
    if (!Array.isArray(parts)) {
      this.#parts[row] = undefined;
      this.#size -= 1;
      return;
    }
    const rest = parts.filter((one) => one !== given);
    this.#parts[row] = rest.length === 1 ? rest[0] : rest;
  }

  /** The rows that have parts. */
  *rows(): Iterable<number> {
    for (const [row, parts] of this.#parts.entries()) if (parts !== undefined) yield row;
  }

  /** How many rows have parts. */
  get size(): number {
    return this.#size;
  }
}

function inOrder(a: GivenPart<unknown>, b: GivenPart<unknown>): number {
  return a.side - b.side || (a.item < b.item ? -1 : a.item > b.item ? 1 : a.nth - b.nth);
}
