/** Buckets with a single member, as nearly all are: four bytes of hash and four of row in place of the bucket's key. */
import { textHash } from '../text/text-hash.ts';
import { HashRows } from './hash-rows.ts';
import type { Key } from './key.ts';

/** Tells what the table does not keep: whether an item that has been placed stands in a bucket. Items have rows for as long as they stand anywhere. */
export type Stands = (row: number, bucket: Key) => boolean;

/**
 * Two buckets may have one hash. Whoever stands under it is therefore asked whether this is a bucket of its own, and a second bucket of that hash is
 * refused: it must be kept elsewhere, and be looked for there first.
 */
export class SingletonBuckets {
  readonly #stands: Stands;
  readonly #table = new HashRows();

  constructor(stands: Stands) {
    this.#stands = stands;
  }

  /** The row of the member of a bucket that is here. @param but an item that is not meant, since it is about to be placed */
  memberOf(bucket: Key, but?: number): number | undefined {
    const row = this.#table.get(textHash(bucket));
    return row !== undefined && row !== but && this.#stands(row, bucket) ? row : undefined;
  }

  /** @returns false where a bucket of the same hash is here, so that this one must be kept elsewhere */
  add(bucket: Key, row: number): boolean {
    const hash = textHash(bucket);
    if (this.#table.get(hash) !== undefined) return false;
    this.#table.add(hash, row);
    return true;
  }

  /** Takes away a bucket that is here. */
  remove(bucket: Key): void {
    this.#table.remove(textHash(bucket));
  }

  /** How many buckets are here. */
  get size(): number {
    return this.#table.size;
  }
}
