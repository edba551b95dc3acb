/** An index: a collection's entries by buckets, kept up by the difference of each change. */
import { BucketRegistry, type BucketTouched } from './bucket-registry.ts';
import type { Explanation } from './collection.ts';
import type { CollectionStore } from './collection-store.ts';
import { compareKeys, type Key } from './key.ts';
import { distinctKeys, membership, NO_KEYS, SHORT } from './key-list.ts';
import { type Counters, type GraphNode, newCounters } from './node.ts';
import type { NodeFaults } from './quarantine.ts';
import { ReadableIndex } from './readable-index.ts';

const NONE: readonly never[] = Object.freeze([]);

export interface KeyedIndexOptions<V> {
  readonly name: string;
  readonly rank: number;
  readonly input: CollectionStore<V>;
  readonly extract: (value: V, key: Key) => Iterable<Key>;
  /** What every list of entries passes through before it is handed out. */
  readonly prepare: <T>(value: T) => T;
  readonly faults: NodeFaults;
}

/**
 * An item whose `extract` throws stays in the buckets it was last good in, with its new value. Where all others stand is not kept: it is asked again of
 * the value they have. So the keys of buckets with one member need not be kept either.
 */
export class KeyedIndex<V> extends ReadableIndex<V> implements GraphNode {
  readonly counters: Counters = newCounters();
  /** What it is an index of. */
  readonly input: CollectionStore<V>;
  readonly #extract: (value: V, key: Key) => Iterable<Key>;
  readonly #prepare: <T>(value: T) => T;
  readonly #faults: NodeFaults;
  readonly #registry: BucketRegistry<V>;
  readonly #valueAt: (row: number) => V | undefined;
  /** Where items stand whose value does not tell. */
  readonly #stuck = new Map<Key, readonly Key[]>();
  /** Items changed in the running commit, with the buckets they stood in before it: what readers outside still see. New items had none. */
  readonly #bucketsBefore = new Map<Key, readonly Key[]>();
  /** Buckets changed in the running commit, with their counts before it. */
  readonly #countsBefore = new Map<Key, number>();
  readonly #noteCount: BucketTouched = (bucket, count) => {
    if (!this.#countsBefore.has(bucket)) this.#countsBefore.set(bucket, count);
  };
  #next = 0;
  #touched: Iterator<readonly [Key, number]> | undefined;
  #notesCounts = false;
  /** The item that was last asked where it stands, if that is in many buckets: who reads them asks it of one after the other. */
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

  /** The buckets that the item in a row stands in in the running commit. */
  bucketsOf(row: number): readonly Key[] {
    const value = this.input.at(row);
    return value === undefined ? NO_KEYS : this.#stood(this.input.rows.key(row), value);
  }

  /** The rows of who stands in a bucket in the running commit; their order says nothing. */
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

  /** Where an item of the registry stands: while a commit is under way, where its value before puts it unless it has been placed anew. */
  #placedIn(row: number): readonly Key[] {
    const item = this.input.rows.key(row);
    // What only comes was nowhere before.
    const moves = this.input.changes.replaces && !this.#bucketsBefore.has(item);
    const value = (moves ? this.input.publishedAt(row, item) : undefined) ?? this.input.at(row);
    return value === undefined ? NO_KEYS : this.#stood(item, value);
  }

  /** Where an item stands that has, or had, this value. */
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

  /** While a commit is under way: the members now, less those it has changed or added, plus those of them that stood here before. */
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
