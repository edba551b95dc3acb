/** The first members of large buckets in key order, kept up as members come and go: what only the first are asked of is not put in order whole. */
import { compareKeys, type Key } from './key.ts';

/** So many are kept of a bucket. */
const RETAINED = 64;

/** Buckets and members are rows. What is kept of a bucket is always as many of its first members as it is long. */
export class FirstMembers {
  readonly #keyOf: (row: number) => Key;
  readonly #first = new Map<number, number[]>();

  /** @param keyOf the key of a member */
  constructor(keyOf: (row: number) => Key) {
    this.#keyOf = keyOf;
  }

  /** The first `max` members of a bucket that has so many. @param members all of them, in any order */
  of(bucket: number, max: number, members: () => Iterable<number>): readonly number[] {
    const known = this.#first.get(bucket);
    if (known !== undefined && known.length >= max) return known.slice(0, max);
    const first: number[] = [];
    for (const member of members()) this.#put(first, member, Math.max(RETAINED, max));
    if (max <= RETAINED) this.#first.set(bucket, first);
    return first.slice(0, max);
  }

  /** A member has come. */
  add(bucket: number, member: number): void {
    const first = this.#first.get(bucket);
    // Whether one that comes after the last kept is the next cannot be told from those that are kept.
    if (first !== undefined) this.#put(first, member, first.length);
  }

  /** A member has gone. */
  remove(bucket: number, member: number): void {
    const first = this.#first.get(bucket);
    const at = first?.indexOf(member) ?? -1;
    if (first === undefined || at < 0) return;
    first.splice(at, 1);
    if (first.length === 0) this.#first.delete(bucket);
  }

  /** Of how many buckets some are kept. */
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
