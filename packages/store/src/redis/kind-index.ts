/** Names and hashes of the objects of one kind by bucket, as in the index in Redis. */
import { BUCKETS, bucketOf } from './bucket.ts';
import type { IndexEntries } from './values.ts';

export class KindIndex {
  readonly #buckets: (Map<string, string> | undefined)[] = new Array(BUCKETS);
  #size = 0;

  /** Number of objects in all buckets. */
  get size(): number {
    return this.#size;
  }

  /** Non-empty buckets, ascending. */
  get used(): number[] {
    return this.#buckets.flatMap((bucket, at) => (bucket === undefined || bucket.size === 0 ? [] : at));
  }

  get(id: string): string | undefined {
    return this.#buckets[bucketOf(id)]?.get(id);
  }

  set(id: string, hash: string): void {
    const at = bucketOf(id);
    const bucket = this.#buckets[at] ?? new Map<string, string>();
    this.#buckets[at] = bucket;
    if (!bucket.has(id)) this.#size += 1;
    bucket.set(id, hash);
  }

  delete(id: string): void {
    if (this.#buckets[bucketOf(id)]?.delete(id)) this.#size -= 1;
  }

  entries(bucket: number): IndexEntries {
    return [...(this.#buckets[bucket] ?? [])];
  }
}
