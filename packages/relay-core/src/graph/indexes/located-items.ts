/** A registry of buckets that also stores the buckets of each item. An item is identified by its row. */

import type { Key } from '@meshrelay/plugin';
import { NO_KEYS } from '../rows/key-list.ts';
import type { Rows } from '../rows/rows.ts';
import { BucketRegistry } from './bucket-registry.ts';

export class PlacedItems {
  readonly #bucketsOf = new Map<number, readonly Key[]>();
  readonly #registry: BucketRegistry<never>;

  /** @param rows rows of the items; an item has a row while it is in any bucket */
  constructor(rows: Rows) {
    this.#registry = new BucketRegistry(rows);
  }

  bucketsOf(item: number): readonly Key[] {
    return this.#bucketsOf.get(item) ?? NO_KEYS;
  }

  /** The members of a bucket, in no particular order. */
  membersOf(bucket: Key): Iterable<number> {
    return this.#registry.membersOf(bucket);
  }

  has(bucket: Key): boolean {
    return this.#registry.has(bucket);
  }

  /** Moves the item to exactly these buckets; the list may not repeat a bucket. */
  place(item: number, buckets: readonly Key[]): void {
    this.#registry.place(item, this.bucketsOf(item), buckets);
    if (buckets.length > 0) this.#bucketsOf.set(item, buckets);
    else this.#bucketsOf.delete(item);
  }

  /** The number of items that are in a bucket, and the number of buckets. */
  get sizes(): { readonly placed: number; readonly buckets: number } {
    return { placed: this.#bucketsOf.size, buckets: this.#registry.size };
  }
}
