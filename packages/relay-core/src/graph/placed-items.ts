/** A registry of buckets that knows where its items stand. */
import { BucketRegistry } from './bucket-registry.ts';
import type { Key } from './key.ts';
import { NO_KEYS } from './key-list.ts';

export class PlacedItems {
  readonly #bucketsOf = new Map<Key, readonly Key[]>();
  readonly #registry = new BucketRegistry<never>();

  bucketsOf(item: Key): readonly Key[] {
    return this.#bucketsOf.get(item) ?? NO_KEYS;
  }

  /** The members of a bucket; their order says nothing. */
  membersOf(bucket: Key): Iterable<Key> {
    return this.#registry.membersOf(bucket);
  }

  has(bucket: Key): boolean {
    return this.#registry.has(bucket);
  }

  /** The item stands in exactly these buckets (no bucket twice) from now on. */
  place(item: Key, buckets: readonly Key[]): void {
    this.#registry.place(item, this.bucketsOf(item), buckets);
    if (buckets.length > 0) this.#bucketsOf.set(item, buckets);
    else this.#bucketsOf.delete(item);
  }

  /** How many items stand in a bucket, and how many buckets there are. */
  get sizes(): { readonly placed: number; readonly buckets: number } {
    return { placed: this.#bucketsOf.size, buckets: this.#registry.size };
  }
}
