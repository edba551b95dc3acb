/**
 * First members of large buckets in key order, updated as members are added and removed. A read of the first few avoids
 * sorting the whole bucket.
 */

import type { Key } from '@meshrelay/plugin';
import { compareKeys } from '../compare-keys.ts';

/** Number of members cached per bucket. */
const RETAINED = 64;

/** Buckets and members are rows. The list cached for a bucket is always a prefix of its members in key order. */
export class FirstMembers {
  readonly #keyOf: (row: number) => Key;
  readonly #first = new Map<number, number[]>();

  /** @param keyOf returns the key of a member */
  constructor(keyOf: (row: number) => Key) {
    this.#keyOf = keyOf;
  }

  /** The first `max` members of a bucket, or all if it has fewer. @param members all members, in any order */
  of(bucket: number, max: number, members: () => Iterable<number>): readonly number[] {
    const known = this.#first.get(bucket);
    if (known !== undefined && known.length >= max) return known.slice(0, max);
    const first: number[] = [];
    for (const member of members()) this.#put(first, member, Math.max(RETAINED, max));
    if (max <= RETAINED) this.#first.set(bucket, first);
    return first.slice(0, max);
  }

  /** Notes an added member. */
  add(bucket: number, member: number): void {
    const first = this.#first.get(bucket);
    // A member after the last cached one may or may not be the next: the cache cannot decide that, so it does not grow.
    if (first !== undefined) this.#put(first, member, first.length);
  }

  /** Notes a removed member. */
  remove(bucket: number, member: number): void {
    const first = this.#first.get(bucket);
    const at = first?.indexOf(member) ?? -1;
    if (first === undefined || at < 0) return;
    first.splice(at, 1);
    if (first.length === 0) this.#first.delete(bucket);
  }

  /** The number of buckets with cached members. */
  get size(): number {
    return this.#first.size;
  }

  #put(first: number[], member: number, max: number): void {
    const key = this.#keyOf(member);
    const last = first.at(-1);
    if (first.length >= max && (last === undefined || compareKeys(key, this.#keyOf(last)) >= 0)) return;
    let [low, high] = [0, first.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareKeys(this.#keyOf(first[middle] as number), key) < 0) low = middle + 1;
      else high = middle;
    }
    first.splice(low, 0, member);
    if (first.length > max) first.pop();
  }
}
