/** An index: the entries of a collection by bucket, updated by the differences of each change. */

import type { Key } from '@meshrelay/plugin';
import type { Explanation } from '../collection.ts';
import { type Counters, type GraphNode, newCounters } from '../commit/node.ts';
import { compareKeys } from '../compare-keys.ts';
import type { NodeFaults } from '../faults/quarantine.ts';
import { distinctKeys, membership, NO_KEYS, SHORT } from '../rows/key-list.ts';
import type { CollectionStore } from '../storage/collection-store.ts';
import { BucketRegistry, type BucketTouched } from './bucket-registry.ts';
import { ReadableIndex } from './readable-index.ts';

const NONE: readonly never[] = Object.freeze([]);

export interface KeyedIndexOptions<V> {
  readonly name: string;
  readonly rank: number;
  readonly input: CollectionStore<V>;
  readonly extract: (value: V, key: Key) => Iterable<Key>;
  /** Applied to every list of entries before it is returned. */
  readonly prepare: <T>(value: T) => T;
  readonly faults: NodeFaults;
}

/**
 * If `extract` throws for an item, the item stays in its last valid buckets, with its new value. For all other items no
 * buckets are stored: `extract` recomputes them from the value. The keys of buckets with a single member need not be
 * stored either.
 */
export class KeyedIndex<V> extends ReadableIndex<V> implements GraphNode {
  readonly counters: Counters = newCounters();
  /** The indexed collection. */
  readonly input: CollectionStore<V>;
  readonly #extract: (value: V, key: Key) => Iterable<Key>;
  readonly #prepare: <T>(value: T) => T;
  readonly #faults: NodeFaults;
  readonly #registry: BucketRegistry<V>;
  readonly #valueAt: (row: number) => V | undefined;
  /** Buckets of items for whose value `extract` throws. */
  readonly #stuck = new Map<Key, readonly Key[]>();
  /**
   * Items changed in the running commit, with their previous buckets, which outside readers still see. Added items had
   * none.
   */
  readonly #bucketsBefore = new Map<Key, readonly Key[]>();
  /** Buckets changed in the running commit, with their previous counts. */
  readonly #countsBefore = new Map<Key, number>();
  readonly #noteCount: BucketTouched = (bucket, count) => {
    if (!this.#countsBefore.has(bucket)) this.#countsBefore.set(bucket, count);
  };
  #next = 0;
  #touched: Iterator<readonly [Key, number]> | undefined;
  #notesCounts = false;
  /**
   * The last item whose buckets were recomputed, if it is in many: a reader of these buckets needs them one after the
   * other.
   */
  #many: { readonly row: number; readonly buckets: { has(bucket: Key): boolean } } | undefined;

  constructor(options: KeyedIndexOptions<V>) {
    super({ name: options.name, rank: options.rank, edges: options.input.edges });
    this.input = options.input;
    this.#extract = options.extract;
    this.#prepare = options.prepare;
    this.#faults = options.faults;
    this.#valueAt = (row) => this.input.at(row);
    this.#registry = new BucketRegistry(this.input.rows, (row, bucket) => this.#isPlacedIn(row, bucket));
  }

  entriesOf(bucket: Key): ReadonlyArray<readonly [Key, V]> {
    if (this.input.changes.length === 0) return this.entriesNow(bucket);
    return this.#publishedMembers(bucket)
      .sort(compareKeys)
      .map((key) => [key, this.input.get(key) as V] as const);
  }

  countOf(bucket: Key): number {
    if (this.input.changes.length === 0) return this.countNow(bucket);
    return this.#publishedMembers(bucket).length;
  }

  /** The buckets of the item in a row, in the running commit. */
  bucketsOf(row: number): readonly Key[] {
    const value = this.input.at(row);
    return value === undefined ? NO_KEYS : this.#stood(this.input.rows.key(row), value);
  }

  /** The rows of the members of a bucket in the running commit, in no particular order. */
  membersOf(bucket: Key): Iterable<number> {
    return this.#registry.membersOf(bucket);
  }

  entriesNow(bucket: Key): ReadonlyArray<readonly [Key, V]> {
    const entries = this.#registry.entriesOf(bucket, this.#valueAt);
    return entries === undefined ? NONE : this.#prepare(entries);
  }

  countNow(bucket: Key): number {
    return this.#registry.sizeOf(bucket);
  }

  begin(): boolean {
    this.#next = 0;
    this.#touched = undefined;
    this.#notesCounts = this.isRead;
    return this.input.changes.length > 0;
  }

  step(): boolean {
    const { changes } = this.input;
    const at = this.#next;
    if (at < changes.length) {
      this.#next += 1;
      this.#place(changes.keys[at] as Key, changes.rows[at] as number, changes.before(at), changes.after[at]);
      return true;
    }
    this.#touched ??= this.#countsBefore.entries();
    const touched = this.#touched.next();
    if (touched.done) return false;
    this.wake(...touched.value);
    return true;
  }

  publish(): void {
    this.#bucketsBefore.clear();
    this.#countsBefore.clear();
  }

  rest(): void {
    this.#registry.forgetEntries();
  }

  explain(): Explanation | undefined {
    return undefined;
  }

  get sizes(): Readonly<Record<string, number>> {
    return {
      buckets: this.#registry.size,
      stuck: this.#stuck.size,
      ...this.readerSizes,
      faults: this.#faults.size,
    };
  }

  #place(key: Key, row: number, valueBefore: V | undefined, after: V | undefined): void {
    if (this.#many?.row === row) this.#many = undefined;
    const before = valueBefore === undefined ? NO_KEYS : this.#stood(key, valueBefore);
    if (valueBefore !== undefined) this.#bucketsBefore.set(key, before);
    const buckets = after === undefined ? this.#gone(key) : this.#bucketsFor(after, key, before);
    const moved = this.#registry.place(row, before, buckets, this.#notesCounts ? this.#noteCount : undefined);
    if (moved) this.counters.changed += 1;
    else this.counters.cutOff += 1;
  }

  #isPlacedIn(row: number, bucket: Key): boolean {
    if (this.#many?.row === row) return this.#many.buckets.has(bucket);
    const buckets = this.#placedIn(row);
    if (buckets.length > SHORT) this.#many = { row, buckets: membership(buckets) };
    return buckets.includes(bucket);
  }

  /**
   * The buckets in which the registry has an item. During a commit, the previous value defines them until the item is
   * moved.
   */
  #placedIn(row: number): readonly Key[] {
    const item = this.input.rows.key(row);
    // An added item had no buckets before.
    const moves = this.input.changes.replaces && !this.#bucketsBefore.has(item);
    const value = (moves ? this.input.publishedAt(row, item) : undefined) ?? this.input.at(row);
    return value === undefined ? NO_KEYS : this.#stood(item, value);
  }

  /** The buckets of an item with this value, current or previous. */
  #stood(key: Key, value: V): readonly Key[] {
    return this.#stuck.get(key) ?? this.#extracted(value, key);
  }

  #extracted(value: V, key: Key): readonly Key[] {
    return distinctKeys(this.#extract(value, key), `extract of ${this.name}`);
  }

  #gone(key: Key): readonly Key[] {
    this.#stuck.delete(key);
    this.#faults.clear(key);
    return NO_KEYS;
  }

  #bucketsFor(value: V, key: Key, before: readonly Key[]): readonly Key[] {
    this.counters.recomputed += 1;
    try {
      const buckets = this.#extracted(value, key);
      this.#stuck.delete(key);
      this.#faults.clear(key);
      return buckets;
    } catch (error) {
      this.#stuck.set(key, before);
      this.#faults.set(key, error);
      return before;
    }
  }

  /**
   * Members as of the last finished commit: current members, except those changed or added, plus changed items that
   * were members before.
   */
  #publishedMembers(bucket: Key): Key[] {
    const members: Key[] = [];
    for (const row of this.membersOf(bucket)) {
      const key = this.input.rows.key(row);
      if (!this.#bucketsBefore.has(key) && this.input.has(key)) members.push(key);
    }
    for (const [key, buckets] of this.#bucketsBefore) if (buckets.includes(bucket)) members.push(key);
    return members;
  }
}
