/**
 * Looks under one's own key: by far the most frequent ones, since most of what is derived from an item looks at what else there is of it. They are no
 * edges but one bit each, in a number that the looking item has.
 */
import { IntColumn } from './int-column.ts';
import type { Key } from './key.ts';
import { NO_ROW, type Rows } from './rows.ts';

/** What the items of a node looked at under their own keys. */
export class OwnKeyReads {
  /** By row: the bits of what the item's last run looked at. */
  readonly bits: IntColumn;
  /** How many bits are given away. */
  given = 0;

  /** @param rows where the items stand */
  constructor(rows: Rows) {
    this.bits = new IntColumn(rows);
  }
}

/** A node whose items have rows, with the looks of each. */
export interface OwnKeyReader {
  readonly rows: Rows;
  readonly ownKeyReads: OwnKeyReads;
  markDirty(row: number): void;
}

/** Bits that an integer of four bytes has, but for its sign. */
const MAX_READS = 31;

/** "No bit is left": the look must be an edge. */
export const NO_READ = 0;

/** Ways to look at a collection, or at an index under one's own key as the bucket; a set of them is a sum. */
export const VALUE = 1;
export const PRESENCE = 2;
export const COUNT = 4;

/** What a reader's bits for one collection or index mean. */
interface Reading {
  readonly reader: OwnKeyReader;
  /** By way to look. */
  readonly bits: Map<number, number>;
}

/** Who looks at one collection or index under its own key. There are few: nodes, not items. */
export class OwnKeyReaders {
  readonly #readings: Reading[] = [];

  /** Whether anybody has ever looked. */
  get any(): boolean {
    return this.#readings.length > 0;
  }

  /** The bit by which a reader says that it looked in this way. */
  bitOf(reader: OwnKeyReader, way: number): number {
    let reading = this.#readings.find((one) => one.reader === reader);
    if (reading === undefined) {
      reading = { reader, bits: new Map() };
      this.#readings.push(reading);
    }
    const known = reading.bits.get(way);
    if (known !== undefined) return known;
    const { ownKeyReads } = reader;
    if (ownKeyReads.given === MAX_READS) return NO_READ;
    const bit = 1 << ownKeyReads.given;
    ownKeyReads.given += 1;
    reading.bits.set(way, bit);
    return bit;
  }

  /**
   * Marks the items of a key dirty that looked in one of these ways.
   * @param rows where `row` is the key's; readers in the same rows need no look-up
   */
  wake(key: Key, endpointMultiplicity: number, rows?: Rows, row: number = NO_ROW): void {
    for (const { reader, bits } of this.#readings) {
      const at = reader.rows === rows ? row : reader.rows.of(key);
      if (at === NO_ROW) continue;
      const reads = reader.ownKeyReads.bits.get(at);
      if (reads === NO_READ) continue;
      for (const [way, bit] of bits) {
        if ((endpointMultiplicity & way) === 0 || (reads & bit) === 0) continue;
        reader.markDirty(at);
        break;
      }
    }
  }
}
