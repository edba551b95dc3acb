/** Which items stand in which buckets, both ways, changed by the difference. */
import { Bucket } from './bucket.ts';
import type { Key } from './key.ts';
import { membership, NO_KEYS } from './key-list.ts';

/** Called before a bucket's members or their values change. */
export type BucketTouched = (bucket: Key, countBefore: number) => void;

export class BucketRegistry<V> {
  readonly #bucketsOf = new Map<Key, readonly Key[]>();
  readonly #buckets = new Map<Key, Bucket<V>>();

  bucketsOf(item: Key): readonly Key[] {
    return this.#bucketsOf.get(item) ?? NO_KEYS;
  }

  bucket(key: Key): Bucket<V> | undefined {
    return this.#buckets.get(key);
  }

  /** The members of a bucket; their order says nothing. */
  membersOf(bucket: Key): Iterable<Key> {
    return this.#buckets.get(bucket)?.members() ?? NO_KEYS;
  }

  /**
   * The item, new or changed, stands in exactly these buckets (no bucket twice) from now on.
   * @returns whether it left or entered any
   */
  place(item: Key, buckets: readonly Key[], touched?: BucketTouched): boolean {
    const before = this.bucketsOf(item);
    if (buckets.length > 0) this.#bucketsOf.set(item, buckets);
    else if (before.length > 0) this.#bucketsOf.delete(item);
    return before.length === 0 ? this.#enterAll(item, buckets, touched) : this.#move(item, before, buckets, touched);
  }

  get sizes(): Readonly<Record<string, number>> {
    return { placed: this.#bucketsOf.size, buckets: this.#buckets.size };
  }

  #enterAll(item: Key, buckets: readonly Key[], touched: BucketTouched | undefined): boolean {
    for (const bucket of buckets) this.#enter(bucket, item, touched);
    return buckets.length > 0;
  }

  #move(item: Key, before: readonly Key[], after: readonly Key[], touched: BucketTouched | undefined): boolean {
    let moved = false;
    const stays = membership(after);
    for (const bucket of before) {
      if (stays.has(bucket)) this.#touch(bucket, item, touched);
      else {
        moved = true;
        this.#leave(bucket, item, touched);
      }
    }
    const stood = membership(before);
    for (const bucket of after) {
      if (stood.has(bucket)) continue;
      moved = true;
      this.#enter(bucket, item, touched);
    }
    return moved;
  }

  #touch(key: Key, item: Key, touched: BucketTouched | undefined): void {
    const bucket = this.#buckets.get(key) as Bucket<V>;
    touched?.(key, bucket.size);
    bucket.touch(item);
  }

  #leave(key: Key, item: Key, touched: BucketTouched | undefined): void {
    const bucket = this.#buckets.get(key) as Bucket<V>;
    touched?.(key, bucket.size);
    bucket.remove(item);
    if (bucket.size === 0) this.#buckets.delete(key);
  }

  #enter(key: Key, item: Key, touched: BucketTouched | undefined): void {
    let bucket = this.#buckets.get(key);
    touched?.(key, bucket?.size ?? 0);
    if (bucket === undefined) {
      bucket = new Bucket();
      this.#buckets.set(key, bucket);
    }
    bucket.add(item);
  }
}
