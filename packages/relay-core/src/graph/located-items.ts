/** A registry of buckets that knows where its items stand. Items are their rows. */
import { BucketRegistry } from './bucket-registry.ts';
import type { Key } from './key.ts';
import { NO_KEYS } from './key-list.ts';
import type { Rows } from './rows.ts';

export class PlacedItems {
  readonly #bucketsOf = new Map<number, readonly Key[]>();
  readonly #registry: BucketRegistry<never>;

  /** @param rows where the items stand, for as long as they stand anywhere */
  constructor(rows: Rows) {
    this.#registry = new BucketRegistry(rows);
  }

  bucketsOf(item: number): readonly Key[] {
    return this.#bucketsOf.get(item) ?? NO_KEYS;
  }

  /** The members of a bucket; their order says nothing. */
  membersOf(bucket: Key): Iterable<number> {
    return this.#registry.membersOf(bucket);
  }

  has(bucket: Key): boolean {
    return this.#registry.has(bucket);
  }

  /** The item stands in exactly these buckets (no bucket twice) from now on. */
  place(item: number, buckets: readonly Key[]): void {
    this.#registry.place(item, this.bucketsOf(item), buckets);
    if (buckets.length > 0) this.#bucketsOf.set(item, buckets);
    else this.#bucketsOf.delete(item);
  }

  /** How many items stand in a bucket, and how many buckets there are. */
  get sizes(): { readonly placed: number; readonly buckets: number } {
    return { placed: this.#bucketsOf.size, buckets: this.#registry.size };
  }
}
