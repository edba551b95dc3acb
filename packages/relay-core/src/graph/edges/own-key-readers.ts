/**
 * Reads under the reader's own key. They are by far the most frequent, because most derived values read other data of
 * the same item. Such a read is not an edge; it is one bit in a number per reading item.
 */

import type { Key } from '@meshrelay/plugin';
import { IntColumn } from '../rows/int-column.ts';
import { NO_ROW, type Rows } from '../rows/rows.ts';

/** Reads of a node's items under their own keys. */
export class OwnKeyReads {
  /** By row: the bits set by the item's last run. */
  readonly bits: IntColumn;
  /** The number of bits assigned. */
  given = 0;

  /** @param rows rows of the items */
  constructor(rows: Rows) {
    this.bits = new IntColumn(rows);
  }
}

/** A node whose items have rows, and own-key reads per row. */
export interface OwnKeyReader {
  readonly rows: Rows;
  readonly ownKeyReads: OwnKeyReads;
  markDirty(row: number): void;
}

/** Bits of a four-byte integer, without the sign bit. */
const MAX_READS = 31;

/** No bit is available: the read must become an edge. */
export const NO_READ = 0;

/** Kinds of read of a collection, or of an index with the reader's key as bucket. A set of kinds is their sum. */
export const VALUE = 1;
export const PRESENCE = 2;
export const COUNT = 4;

/** The bits of a reader for one collection or index. */
interface Reading {
  readonly reader: OwnKeyReader;
  /** By kind of read. */
  readonly bits: Map<number, number>;
}

/** Nodes that read one collection or index under their own key. There are few, because they are nodes, not items. */
export class OwnKeyReaders {
  readonly #readings: Reading[] = [];

  /** Whether any node has ever read it. */
  get any(): boolean {
    return this.#readings.length > 0;
  }

  /** The bit of a reader for this kind of read. */
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
   * Marks the items of a key dirty that used one of these kinds of read.
   * @param rows table that `row` belongs to; readers with the same table need no lookup
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
