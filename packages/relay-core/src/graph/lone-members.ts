/** Buckets with a single member, as nearly all are: four bytes of hash and four of row in place of the bucket's key. */
import { textHash } from '../text/text-hash.ts';
import { HashRows } from './hash-rows.ts';
import type { Key } from './key.ts';
import type { Rows } from './rows.ts';

/** Tells of items what the table does not keep. */
export interface Standings {
  /** Where the items have rows, for as long as they stand anywhere. */
  readonly rows: Rows;
  /** Whether an item that has been placed stands in a bucket. */
  stands(item: Key, bucket: Key): boolean;
}

/**
 * Two buckets may have one hash. Whoever stands under it is therefore asked whether this is a bucket of its own, and a second bucket of that hash is
 * refused: it must be kept elsewhere, and be looked for there first.
 */
export class LoneMembers {
  readonly #standings: Standings;
  readonly #table = new HashRows();

  constructor(standings: Standings) {
    this.#standings = standings;
  }

  /** The member of a bucket that is here. @param but an item that is not meant, since it is about to be placed */
  memberOf(bucket: Key, but?: Key): Key | undefined {
    const row = this.#table.get(textHash(bucket));
    if (row === undefined) return undefined;
    const item = this.#standings.rows.key(row);
    return item !== but && this.#standings.stands(item, bucket) ? item : undefined;
  }

  /** @returns false where a bucket of the same hash is here, so that this one must be kept elsewhere */
  add(bucket: Key, item: Key): boolean {
    const hash = textHash(bucket);
    if (this.#table.get(hash) !== undefined) return false;
    this.#table.add(hash, this.#standings.rows.of(item));
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
