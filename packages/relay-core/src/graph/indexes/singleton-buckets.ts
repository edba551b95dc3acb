/**
 * Buckets with a single member, as nearly all are: four bytes for the hash and four for the row, instead of the
 * bucket's key.
 */

import type { Key } from '@meshrelay/plugin';
import { textHash } from '../../text/text-hash.ts';
import { HashRows } from '../rows/hash-rows.ts';

/** Whether a placed item is in a bucket; the table does not store this. An item has a row while it is in any bucket. */
export type Stands = (row: number, bucket: Key) => boolean;

/**
 * Two buckets may have the same hash. A lookup therefore checks that the member is really in the bucket. A second
 * bucket with the same hash is rejected: the caller stores it in another table, and must search there first.
 */
export class SingletonBuckets {
  readonly #stands: Stands;
  readonly #table = new HashRows();

  constructor(stands: Stands) {
    this.#stands = stands;
  }

  /**
   * The row of the single member of a bucket stored here. @param but an item to ignore, because it is about to be
   * placed
   */
  memberOf(bucket: Key, but?: number): number | undefined {
    const row = this.#table.get(textHash(bucket));
    return row !== undefined && row !== but && this.#stands(row, bucket) ? row : undefined;
  }

  /** @returns false if a bucket with the same hash is stored here, so that this one must be stored in another table */
  add(bucket: Key, row: number): boolean {
    const hash = textHash(bucket);
    if (this.#table.get(hash) !== undefined) return false;
    this.#table.add(hash, row);
    return true;
  }

  /** Removes a bucket stored here. */
  remove(bucket: Key): void {
    this.#table.remove(textHash(bucket));
  }

  /** The number of buckets stored here. */
  get size(): number {
    return this.#table.size;
  }
}
