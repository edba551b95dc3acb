/** Which items stand in which buckets, changed by the difference. */
import { Bucket } from './bucket.ts';
import type { Key } from './key.ts';
import { membership, NO_KEYS } from './key-list.ts';

/** Called before a bucket's members or their values change. */
export type BucketTouched = (bucket: Key, countBefore: number) => void;

export class BucketRegistry<V> {
  /** A bucket with a single member, as most have, is that member. */
  readonly #buckets = new Map<Key, Bucket<V> | Key>();

  has(bucket: Key): boolean {
    return this.#buckets.has(bucket);
  }

  /** How many members a bucket has. */
  sizeOf(bucket: Key): number {
    return countOf(this.#buckets.get(bucket));
  }

  /** The members of a bucket; their order says nothing. */
  membersOf(bucket: Key): Iterable<Key> {
    const members = this.#buckets.get(bucket);
    return members === undefined ? NO_KEYS : typeof members === 'string' ? [members] : members.members();
  }

  /** The entries of a bucket in key order; undefined where it has none. */
  entriesOf(bucket: Key, valueAt: (key: Key) => V | undefined): ReadonlyArray<readonly [Key, V]> | undefined {
    const members = this.#buckets.get(bucket);
    if (typeof members === 'string') return [[members, valueAt(members) as V]];
    return members?.entries(valueAt);
  }

  /**
   * The item, new or changed, which stood in the buckets `before`, stands in exactly those `after` from now on; neither has a bucket twice.
   * @returns whether it left or entered any
   */
  place(item: Key, before: readonly Key[], after: readonly Key[], touched?: BucketTouched): boolean {
    return before.length === 0 ? this.#enterAll(item, after, touched) : this.#move(item, before, after, touched);
  }

  /** How many buckets have members. */
  get size(): number {
    return this.#buckets.size;
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
    touched?.(key, this.sizeOf(key));
    const bucket = this.#buckets.get(key);
    if (typeof bucket === 'object') bucket.touch(item);
  }

  #leave(key: Key, item: Key, touched: BucketTouched | undefined): void {
    const size = this.sizeOf(key);
    touched?.(key, size);
    if (size === 1) this.#buckets.delete(key);
    else this.#whole(key).remove(item);
  }

  #enter(key: Key, item: Key, touched: BucketTouched | undefined): void {
    const members = this.#buckets.get(key);
    touched?.(key, countOf(members));
    if (members === undefined) this.#buckets.set(key, item);
    else if (typeof members === 'object') members.add(item);
    else this.#whole(key).add(item);
  }

  /** A bucket that there is, as one that can grow. */
  #whole(key: Key): Bucket<V> {
    const members = this.#buckets.get(key);
    if (typeof members === 'object') return members;
    const bucket = new Bucket<V>();
    if (members !== undefined) bucket.add(members);
    this.#buckets.set(key, bucket);
    return bucket;
  }
}

function countOf(members: Bucket<unknown> | Key | undefined): number {
  return members === undefined ? 0 : typeof members === 'string' ? 1 : members.size;
}
