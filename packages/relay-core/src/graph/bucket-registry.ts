/** Which items stand in which buckets, changed by the difference. */
import { Bucket } from './bucket.ts';
import type { Key } from './key.ts';
import { membership, NO_KEYS } from './key-list.ts';
import { LoneMembers, type Standings } from './lone-members.ts';

/** Called before a bucket's members or their values change. */
export type BucketTouched = (bucket: Key, countBefore: number) => void;

export class BucketRegistry<V> {
  /** A bucket with a single member is that member. */
  readonly #buckets = new Map<Key, Bucket<V> | Key>();
  /** Those with a single member that are not above; undefined where nobody can tell of items where they stand. */
  readonly #lone: LoneMembers | undefined;

  constructor(standings?: Standings) {
    this.#lone = standings === undefined ? undefined : new LoneMembers(standings);
  }

  has(bucket: Key): boolean {
    return this.#find(bucket) !== undefined;
  }

  /** How many members a bucket has. */
  sizeOf(bucket: Key): number {
    return countOf(this.#find(bucket));
  }

  /** The members of a bucket; their order says nothing. */
  membersOf(bucket: Key): Iterable<Key> {
    const members = this.#find(bucket);
    return members === undefined ? NO_KEYS : typeof members === 'string' ? [members] : members.members();
  }

  /** The entries of a bucket in key order; undefined where it has none. */
  entriesOf(bucket: Key, valueAt: (key: Key) => V | undefined): ReadonlyArray<readonly [Key, V]> | undefined {
    const members = this.#find(bucket);
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
    return this.#buckets.size + (this.#lone?.size ?? 0);
  }

  #find(bucket: Key): Bucket<V> | Key | undefined {
    return this.#buckets.get(bucket) ?? this.#lone?.memberOf(bucket);
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
    const members = this.#buckets.get(key);
    touched?.(key, members === undefined ? 1 : countOf(members));
    if (typeof members === 'object') members.touch(item);
  }

  #leave(key: Key, item: Key, touched: BucketTouched | undefined): void {
    const members = this.#buckets.get(key);
    touched?.(key, members === undefined ? 1 : countOf(members));
    if (members === undefined) this.#lone?.remove(key);
    else if (typeof members === 'object' && members.size > 1) members.remove(item);
    else this.#buckets.delete(key);
  }

  #enter(key: Key, item: Key, touched: BucketTouched | undefined): void {
    const members = this.#buckets.get(key) ?? this.#lone?.memberOf(key, item);
    touched?.(key, countOf(members));
    if (members === undefined) {
      if (this.#lone?.add(key, item) !== true) this.#buckets.set(key, item);
    } else if (typeof members === 'object') members.add(item);
    else this.#grow(key, members, item);
  }

  /** A bucket with a single member gets another. */
  #grow(key: Key, member: Key, item: Key): void {
    if (!this.#buckets.has(key)) this.#lone?.remove(key);
    const bucket = new Bucket<V>();
    bucket.add(member);
    bucket.add(item);
    this.#buckets.set(key, bucket);
  }
}

function countOf(members: Bucket<unknown> | Key | undefined): number {
  return members === undefined ? 0 : typeof members === 'string' ? 1 : members.size;
}
