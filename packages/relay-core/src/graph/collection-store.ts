/** The values of one collection: the working state of the running commit, and the last finished commit for everyone else. */
import type { Change, Collection } from './collection.ts';
import type { Key } from './key.ts';
import type { EdgeTable, ReadEdges } from './read-edges.ts';

/**
 * The working values stand in one map. What the running commit has changed is its list of changes, which holds the values before: readers
 * from outside look there first, so that a commit costs nothing more for being invisible until it ends.
 * A node changes each key at most once per commit.
 */
export class CollectionStore<V> implements Collection<V> {
  readonly name: string;
  /** Place in the order of creation, which is the order of every commit. */
  readonly rank: number;
  readonly source: boolean;
  /** The edges of the graph this store belongs to. */
  readonly edges: ReadEdges;
  /** Who looked at values, by key. */
  readonly valueReaders: EdgeTable = new Map();
  /** Who looked at presence alone, by key. */
  readonly presenceReaders: EdgeTable = new Map();
  readonly #values = new Map<Key, V>();
  #changes: Change<V>[] = [];
  #before: Map<Key, V | undefined> | undefined;
  #publishedSize = 0;

  constructor(name: string, rank: number, edges: ReadEdges, source = false) {
    this.name = name;
    this.rank = rank;
    this.edges = edges;
    this.source = source;
  }

  get(key: Key): V | undefined {
    if (this.#changes.length === 0) return this.#values.get(key);
    const before = this.#valuesBefore();
    return before.has(key) ? before.get(key) : this.#values.get(key);
  }

  has(key: Key): boolean {
    return this.get(key) !== undefined;
  }

  get size(): number {
    return this.#publishedSize;
  }

  /** A snapshot of the moment of the call: it stays whole while commits come and go. */
  entries(): IterableIterator<readonly [Key, V]> {
    if (this.#changes.length === 0) return [...this.#values].values();
    const before = this.#valuesBefore();
    const entries: (readonly [Key, V])[] = [];
    for (const entry of this.#values) if (!before.has(entry[0])) entries.push(entry);
    for (const [key, value] of before) if (value !== undefined) entries.push([key, value]);
    return entries.values();
  }

  /** The value in the running commit; for transforms of later nodes. */
  now(key: Key): V | undefined {
    return this.#values.get(key);
  }

  /** All values in the running commit. */
  entriesNow(): IterableIterator<[Key, V]> {
    return this.#values.entries();
  }

  /** Changes a key (undefined deletes it) and wakes whoever looked at it. `before` is its value until now. */
  put(key: Key, before: V | undefined, after: V | undefined): void {
    if (after === undefined) this.#values.delete(key);
    else this.#values.set(key, after);
    this.#changes.push({ key, before, after });
    this.edges.wake(this.valueReaders, key);
    if (before === undefined || after === undefined) this.edges.wake(this.presenceReaders, key);
  }

  /** What the running commit has changed here so far. */
  get changes(): readonly Change<V>[] {
    return this.#changes;
  }

  /** Makes the working state the published one. @returns what changed */
  publish(): readonly Change<V>[] {
    const changes = this.#changes;
    this.#changes = [];
    this.#before = undefined;
    this.#publishedSize = this.#values.size;
    return changes;
  }

  /** How many values and read keys it holds. */
  get sizes(): Readonly<Record<string, number>> {
    return {
      values: this.#values.size,
      valueReaders: this.valueReaders.size,
      presenceReaders: this.presenceReaders.size,
    };
  }

  #valuesBefore(): Map<Key, V | undefined> {
    this.#before ??= new Map();
    for (let i = this.#before.size; i < this.#changes.length; i++) {
      const change = this.#changes[i] as Change<V>;
      this.#before.set(change.key, change.before);
    }
    return this.#before;
  }
}
