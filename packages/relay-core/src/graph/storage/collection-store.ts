/**
 * Values of one collection: the working state for the running commit, and the last finished commit for all other
 * readers.
 */

import type { Collection, Key } from '@meshrelay/plugin';
import { OwnKeyReaders, PRESENCE, VALUE } from '../edges/own-key-readers.ts';
import type { EdgeTable, ReadEdges } from '../edges/read-edges.ts';
import type { KeyBytes } from '../rows/key-bytes.ts';
import { NO_ROW, Rows, setInColumn } from '../rows/rows.ts';
import { ChangeLog } from './change-log.ts';

export interface StoreOptions {
  readonly name: string;
  /** Position in the order of creation, which every commit follows. */
  readonly rank: number;
  /** The edges of the graph this store belongs to. */
  readonly edges: ReadEdges;
  readonly source?: boolean;
  /**
   * Rows of the collection that this one is derived from item by item. If omitted, the store has its own keys and rows.
   */
  readonly rows?: Rows | undefined;
  /** Byte storage for older keys of this store that no value references. If omitted, keys stay strings. */
  readonly keys?: KeyBytes;
}

/**
 * Stores the working values in one column, by row. The log of the running commit holds the previous values. Readers
 * outside the graph consult the log first, so hiding a commit until it ends costs nothing extra. A node changes each
 * key at most once per commit.
 */
export class CollectionStore<V> implements Collection<V> {
  readonly name: string;
  readonly rank: number;
  readonly source: boolean;
  readonly edges: ReadEdges;
  readonly rows: Rows;
  /** Readers of values, by key, except reads under the reader's own key. */
  readonly valueReaders: EdgeTable = new Map();
  /** Readers of presence only, by key, except reads under the reader's own key. */
  readonly presenceReaders: EdgeTable = new Map();
  /** Readers under their own key. */
  readonly ownKeyReaders: OwnKeyReaders = new OwnKeyReaders();
  readonly #ownsRows: boolean;
  readonly #values: (V | undefined)[] = [];
  #size = 0;
  #changes: ChangeLog<V> = new ChangeLog();
  /** All values, shown as additions to nodes that are being activated. */
  #asNew: ChangeLog<V> | undefined;
  #before: Map<Key, V | undefined> | undefined;
  #publishedSize = 0;

  constructor({ name, rank, edges, source = false, rows, keys }: StoreOptions) {
    this.name = name;
    this.rank = rank;
    this.edges = edges;
    this.source = source;
    this.#ownsRows = rows === undefined;
    this.rows = rows ?? new Rows(keys);
  }

  get(key: Key): V | undefined {
    if (this.#changes.length === 0) return this.now(key);
    const before = this.#valuesBefore();
    return before.has(key) ? before.get(key) : this.now(key);
  }

  has(key: Key): boolean {
    return this.get(key) !== undefined;
  }

  get size(): number {
    return this.#publishedSize;
  }

  /** Snapshot at the time of the call; later commits do not change it. */
  entries(): IterableIterator<readonly [Key, V]> {
    if (this.#changes.length === 0) return this.entriesNow();
    const before = this.#valuesBefore();
    const entries: (readonly [Key, V])[] = [];
    for (const entry of this.entriesNow()) if (!before.has(entry[0])) entries.push(entry);
    for (const [key, value] of before) if (value !== undefined) entries.push([key, value]);
    return entries.values();
  }

  /** The value in the running commit; for transforms of later nodes. */
  now(key: Key): V | undefined {
    const row = this.rows.of(key);
    return row === NO_ROW ? undefined : this.#values[row];
  }

  /** The value of a row in the running commit. */
  at(row: number): V | undefined {
    return this.#values[row];
  }

  /** The value of a key and its row as of the last finished commit. */
  publishedAt(row: number, key: Key): V | undefined {
    return this.#changes.length === 0 ? this.#values[row] : this.get(key);
  }

  /**
   * All values of the running commit at the time of the call. Iterates over all rows up to the last value; an empty
   * collection costs nothing.
   */
  entriesNow(): IterableIterator<readonly [Key, V]> {
    const entries: (readonly [Key, V])[] = [];
    for (let row = 0; entries.length < this.#size; row++) {
      const value = this.#values[row];
      if (value !== undefined) entries.push([this.rows.key(row), value]);
    }
    return entries.values();
  }

  /**
   * Changes a key of a collection that has its own rows. `before` is the current value; undefined as `after` deletes.
   */
  put(key: Key, before: V | undefined, after: V | undefined): void {
    this.putAt(before === undefined ? this.rows.take(key) : this.rows.of(key), key, before, after);
  }

  /** Changes the key of a row, and marks its readers dirty. */
  putAt(row: number, key: Key, before: V | undefined, after: V | undefined): void {
    setInColumn(this.#values, row, after, undefined);
    this.#changes.add(key, row, before, after);
    const comesOrGoes = before === undefined || after === undefined;
    if (comesOrGoes) this.#size += after === undefined ? -1 : 1;
    this.ownKeyReaders.wake(key, comesOrGoes ? VALUE | PRESENCE : VALUE, this.rows, row);
    this.edges.wake(this.valueReaders, key);
    if (comesOrGoes) this.edges.wake(this.presenceReaders, key);
  }

  /** The changes that the running commit has made here so far. */
  get changes(): ChangeLog<V> {
    return this.#asNew ?? this.#changes;
  }

  /**
   * Shows all values to nodes as additions, in a commit that changes nothing here. Readers outside the graph see no
   * difference.
   */
  showAsNew(): void {
    const log = new ChangeLog<V>();
    for (const [row, value] of this.#values.entries())
      if (value !== undefined) log.add(this.rows.key(row), row, undefined, value);
    this.#asNew = log;
  }

  /** Ends {@link showAsNew}. */
  showAsKnown(): void {
    this.#asNew = undefined;
  }

  /** Publishes the working state. @returns the changes */
  publish(): ChangeLog<V> {
    const changes = this.#changes;
    this.#changes = new ChangeLog();
    this.#before = undefined;
    this.#publishedSize = this.#size;
    if (this.#ownsRows) this.#freeRows(changes);
    return changes;
  }

  /** The number of stored values and of keys with readers. */
  get sizes(): Readonly<Record<string, number>> {
    return {
      values: this.#size,
      rows: this.#ownsRows ? this.rows.size : 0,
      valueReaders: this.valueReaders.size,
      presenceReaders: this.presenceReaders.size,
    };
  }

  /** Frees the rows of deleted keys. No derived store uses them: it deleted its values in the same commit. */
  #freeRows({ rows, after }: ChangeLog<V>): void {
    for (let at = 0; at < rows.length; at++) if (after[at] === undefined) this.rows.free(rows[at] as number);
  }

  #valuesBefore(): Map<Key, V | undefined> {
    const changes = this.#changes;
    this.#before ??= new Map();
    for (let at = this.#before.size; at < changes.length; at++)
      this.#before.set(changes.keys[at] as Key, changes.before(at));
    return this.#before;
  }
}
