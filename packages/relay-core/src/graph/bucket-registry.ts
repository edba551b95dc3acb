/** Which items stand in which buckets, both ways, changed by the difference. */
import { Bucket } from './bucket.ts';
import { GraphError } from './errors.ts';
import type { Key } from './key.ts';
import { iterableOf } from './plain-output.ts';

const NONE: readonly Key[] = Object.freeze([]);

/** Called before a bucket's members or their values change. */
export type BucketTouched = (bucket: Key, countBefore: number) => void;

export class BucketRegistry<V> {
  readonly #bucketsOf = new Map<Key, readonly Key[]>();
  readonly #buckets = new Map<Key, Bucket<V>>();

  bucketsOf(item: Key): readonly Key[] {
    return this.#bucketsOf.get(item) ?? NONE;
  }

  bucket(key: Key): Bucket<V> | undefined {
    return this.#buckets.get(key);
  }

  /** The members of a bucket; their order says nothing. */
  membersOf(bucket: Key): Iterable<Key> {
    return this.#buckets.get(bucket)?.members() ?? NONE;
  }

  /**
   * The item, new or changed, stands in exactly these buckets (no bucket twice) from now on.
   * @returns whether it left or entered any
   */
  place(item: Key, buckets: readonly Key[], touched?: BucketTouched): boolean {
    const before = this.bucketsOf(item);
    if (buckets.length > 0) this.#bucketsOf.set(item, buckets);
    else this.#bucketsOf.delete(item);
    let moved = false;
    const contains = membership(buckets);
    for (const bucket of before) {
      if (contains(bucket)) this.#touch(bucket, item, touched);
      else {
        moved = true;
        this.#leave(bucket, item, touched);
      }
    }
    const contained = membership(before);
    for (const bucket of buckets) {
      if (contained(bucket)) continue;
      moved = true;
      this.#enter(bucket, item, touched);
    }
    return moved;
  }

  get sizes(): Readonly<Record<string, number>> {
    return { placed: this.#bucketsOf.size, buckets: this.#buckets.size };
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

/** The buckets a function of the user's gave, each once. @throws GRAPH_E_OUTPUT, GRAPH_E_ASYNC */
export function distinctKeys(keys: Iterable<Key>, what: string): readonly Key[] {
  const list = [...iterableOf(keys, what)];
  for (const key of list) {
    if (typeof key === 'string') continue;
    throw new GraphError('GRAPH_E_OUTPUT', `${what} gave a bucket that is not a key: make keys with key()`);
  }
  if (list.length < 2) return list;
  const distinct = new Set(list);
  return distinct.size === list.length ? list : [...distinct];
}

function membership(keys: readonly Key[]): (key: Key) => boolean {
  if (keys.length <= 8) return (key) => keys.includes(key);
  const set = new Set(keys);
  return (key) => set.has(key);
}
