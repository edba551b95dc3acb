/** Registry of buckets and their members. Updates change only the differences. An item is identified by its row. */

import type { Key } from '@meshrelay/plugin';
import { membership } from '../rows/key-list.ts';
import type { Rows } from '../rows/rows.ts';
import { Bucket } from './bucket.ts';
import { SingletonBuckets, type Stands } from './singleton-buckets.ts';

/** Called before a bucket's members or their values change. */
export type BucketTouched = (bucket: Key, countBefore: number) => void;

const NO_ROWS: readonly number[] = Object.freeze([]);

export class BucketRegistry<V> {
  readonly #rows: Rows;
  /** A bucket with a single member is that member. */
  readonly #buckets = new Map<Key, Bucket<V> | number>();
  /**
   * Buckets with a single member that are not in `#buckets`; undefined if the buckets of an item cannot be recomputed.
   */
  readonly #single: SingletonBuckets | undefined;
  /** Buckets that cache their entries. */
  readonly #listed = new Set<Bucket<V>>();

  /** @param rows rows of the items */
  constructor(rows: Rows, stands?: Stands) {
    this.#rows = rows;
    this.#single = stands === undefined ? undefined : new SingletonBuckets(stands);
  }

  has(bucket: Key): boolean {
    return this.#find(bucket) !== undefined;
  }

  /** The number of members of a bucket. */
  sizeOf(bucket: Key): number {
    return countOf(this.#find(bucket));
  }

  /** The members of a bucket, in no particular order. */
  membersOf(bucket: Key): Iterable<number> {
    const members = this.#find(bucket);
    return members === undefined ? NO_ROWS : typeof members === 'number' ? [members] : members.members();
  }

  /** The entries of a bucket in key order; undefined for an empty bucket. */
  entriesOf(bucket: Key, valueAt: (row: number) => V | undefined): ReadonlyArray<readonly [Key, V]> | undefined {
    const members = this.#find(bucket);
    if (typeof members === 'number') return [[this.#rows.key(members), valueAt(members) as V]];
    const entries = members?.entries(valueAt);
    if (members?.keepsEntries === true) this.#listed.add(members);
    return entries;
  }

  /** Drops cached entries that are cheap to rebuild. */
  forgetEntries(): void {
    for (const bucket of this.#listed) {
      bucket.forgetEntries();
      if (!bucket.keepsEntries) this.#listed.delete(bucket);
    }
  }

  /**
   * Moves a new or changed item from the buckets `before` to exactly the buckets `after`; neither list may repeat a
   * bucket.
   * @returns whether the item left or entered any bucket
   */
  place(item: number, before: readonly Key[], after: readonly Key[], touched?: BucketTouched): boolean {
    return before.length === 0 ? this.#enterAll(item, after, touched) : this.#move(item, before, after, touched);
  }

  /** The number of non-empty buckets. */
  get size(): number {
    return this.#buckets.size + (this.#single?.size ?? 0);
  }

  #find(bucket: Key): Bucket<V> | number | undefined {
    return this.#buckets.get(bucket) ?? this.#single?.memberOf(bucket);
  }

  #enterAll(item: number, buckets: readonly Key[], touched: BucketTouched | undefined): boolean {
    for (const bucket of buckets) this.#enter(bucket, item, touched);
    return buckets.length > 0;
  }

  #move(item: number, before: readonly Key[], after: readonly Key[], touched: BucketTouched | undefined): boolean {
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

  #touch(key: Key, item: number, touched: BucketTouched | undefined): void {
    const members = this.#buckets.get(key);
    touched?.(key, members === undefined ? 1 : countOf(members));
    if (typeof members === 'object') members.touch(item);
  }

  #leave(key: Key, item: number, touched: BucketTouched | undefined): void {
    const members = this.#buckets.get(key);
    touched?.(key, members === undefined ? 1 : countOf(members));
    if (members === undefined) this.#single?.remove(key);
    else if (typeof members === 'object' && members.size > 1) members.remove(item);
    else {
      if (typeof members === 'object') this.#listed.delete(members);
      this.#buckets.delete(key);
    }
  }

  #enter(key: Key, item: number, touched: BucketTouched | undefined): void {
    const members = this.#buckets.get(key) ?? this.#single?.memberOf(key, item);
    touched?.(key, countOf(members));
    if (members === undefined) {
      if (this.#single?.add(key, item) !== true) this.#buckets.set(key, item);
    } else if (typeof members === 'object') members.add(item);
    else this.#grow(key, members, item);
  }

  /** Adds a second member to a bucket with a single member. */
  #grow(key: Key, member: number, item: number): void {
    if (!this.#buckets.has(key)) this.#single?.remove(key);
    const bucket = new Bucket<V>(this.#rows);
    bucket.add(member);
    bucket.add(item);
    this.#buckets.set(key, bucket);
  }
}

function countOf(members: Bucket<unknown> | number | undefined): number {
  return members === undefined ? 0 : typeof members === 'number' ? 1 : members.size;
}
