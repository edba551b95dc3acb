/**
 * Looks at the value in one's own row: by far the most frequent ones, since most of what is derived from an item looks at what else was
 * derived from it. They are no edges but one bit each, in a number that the looking item has.
 */

/** A node whose items stand in rows, with the looks of each. */
export interface RowReader {
  /** By row: the bits of what the item's last run looked at; undefined or 0 for none. */
  readonly looks: number[];
  /** How many of its bits are given away. */
  looksGiven: number;
  markDirty(row: number): void;
}

/** Bits that a number has to spare without becoming a float. */
const MOST_LOOKS = 30;

/** "No bit is left": the look must be an edge. */
export const NO_LOOK = 0;

/** Who looks at one collection from the same row. There are few: nodes, not items. */
export class OwnRowReaders {
  readonly #readers: RowReader[] = [];
  readonly #values: number[] = [];
  readonly #presences: number[] = [];

  /** The bit by which a reader says that it looked at the value, or at its presence alone. */
  bitOf(reader: RowReader, presence: boolean): number {
    let at = this.#readers.indexOf(reader);
    if (at < 0) {
      at = this.#readers.push(reader) - 1;
      this.#values.push(NO_LOOK);
      this.#presences.push(NO_LOOK);
    }
    const bits = presence ? this.#presences : this.#values;
    const known = bits[at] as number;
    if (known !== NO_LOOK || reader.looksGiven === MOST_LOOKS) return known;
    const bit = 1 << reader.looksGiven;
    reader.looksGiven += 1;
    bits[at] = bit;
    return bit;
  }

  /** Marks the items of a row dirty that looked: at the value, or where it comes or goes at its presence. */
  wake(row: number, comesOrGoes: boolean): void {
    for (let at = 0; at < this.#readers.length; at++) {
      const reader = this.#readers[at] as RowReader;
      const looks = reader.looks[row];
      if (looks === undefined) continue;
      const bits = (this.#values[at] as number) | (comesOrGoes ? (this.#presences[at] as number) : 0);
      if ((looks & bits) !== 0) reader.markDirty(row);
    }
  }
}
