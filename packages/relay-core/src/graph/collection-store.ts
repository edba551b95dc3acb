/** The values of one collection: the working state of the running commit, and the last finished commit for everyone else. */
import { ChangeLog } from './change-log.ts';
import type { Collection } from './collection.ts';
import type { Key } from './key.ts';
import type { KeyBytes } from './key-bytes.ts';
import { OwnKeyReaders, PRESENCE, VALUE } from './own-key-readers.ts';
import type { EdgeTable, ReadEdges } from './read-edges.ts';
import { NO_ROW, Rows, setInColumn } from './rows.ts';

export interface StoreOptions {
  readonly name: string;
  /** Place in the order of creation, which is the order of every commit. */
  readonly rank: number;
  /** The edges of the graph this store belongs to. */
  readonly edges: ReadEdges;
  readonly source?: boolean;
  /** The rows of the collection this one is derived from item by item; omitted: it has keys, and so rows, of its own. */
  readonly rows?: Rows | undefined;
  /** Where its own keys go that are no longer new, as nothing but their rows keeps them; omitted: they stay as they are. */
  readonly keys?: KeyBytes;
}

/**
 * The working values stand in one column, by row. What the running commit has changed is its log, which holds the values before: readers
 * from outside look there first, so that a commit costs nothing more for being invisible until it ends.
 * A node changes each key at most once per commit.
 */
export class CollectionStore<V> implements Collection<V> {
  readonly name: string;
  readonly rank: number;
  readonly source: boolean;
  readonly edges: ReadEdges;
  readonly rows: Rows;
  /** Who looked at values, by key; but for looks under one's own key. */
  readonly valueReaders: EdgeTable = new Map();
  /** Who looked at presence alone, by key; but for looks under one's own key. */
  readonly presenceReaders: EdgeTable = new Map();
  /** Who looked under its own key. */
  readonly ownKeyReaders: OwnKeyReaders = new OwnKeyReaders();
  readonly #ownsRows: boolean;
  readonly #values: (V | undefined)[] = [];
  #size = 0;
  #changes: ChangeLog<V> = new ChangeLog();
  /** All that is here, as the changes that nodes see which have slept until now. */
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

  /** A snapshot of the moment of the call: it stays whole while commits come and go. */
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

  /** The value in a row in the running commit. */
  at(row: number): V | undefined {
    return this.#values[row];
  }

  /** The value in the row of a key as of the last finished commit. */
  publishedAt(row: number, key: Key): V | undefined {
    return this.#changes.length === 0 ? this.#values[row] : this.get(key);
  }

  /** All values in the running commit, as of the call. Few values among many rows cost as much as the rows; none cost nothing. */
  entriesNow(): IterableIterator<readonly [Key, V]> {
    const entries: (readonly [Key, V])[] = [];
    for (let row = 0; entries.length < this.#size; row++) {
      const value = this.#values[row];
      if (value !== undefined) entries.push([this.rows.key(row), value]);
    }
    return entries.values();
  }

  /** Changes a key of a collection that has rows of its own. `before` is its value until now; undefined deletes. */
  put(key: Key, before: V | undefined, after: V | undefined): void {
    this.putAt(before === undefined ? this.rows.take(key) : this.rows.of(key), key, before, after);
  }

  /** Changes the key that stands in a row, and wakes whoever looked at it. */
  putAt(row: number, key: Key, before: V | undefined, after: V | undefined): void {
    setInColumn(this.#values, row, after, undefined);
    this.#changes.add(key, row, before, after);
    const comesOrGoes = before === undefined || after === undefined;
    if (comesOrGoes) this.#size += after === undefined ? -1 : 1;
    this.ownKeyReaders.wake(key, comesOrGoes ? VALUE | PRESENCE : VALUE, this.rows, row);
    this.edges.wake(this.valueReaders, key);
    if (comesOrGoes) this.edges.wake(this.presenceReaders, key);
  }

  /** What the running commit has changed here so far. */
  get changes(): ChangeLog<V> {
    return this.#asNew ?? this.#changes;
  }

  /** From now on all that is here seems new to nodes, in a commit that changes nothing here. Readers outside see no difference. */
  showAsNew(): void {
    const log = new ChangeLog<V>();
    for (const [row, value] of this.#values.entries())
      if (value !== undefined) log.add(this.rows.key(row), row, undefined, value);
    this.#asNew = log;
  }

  /** Nothing seems new any more. */
  showAsKnown(): void {
    this.#asNew = undefined;
  }

  /** Makes the working state the published one. @returns what changed */
  publish(): ChangeLog<V> {
    const changes = this.#changes;
    this.#changes = new ChangeLog();
    this.#before = undefined;
    this.#publishedSize = this.#size;
    if (this.#ownsRows) this.#freeRows(changes);
    return changes;
  }

  /** How many values and read keys it holds. */
  get sizes(): Readonly<Record<string, number>> {
    return {
      values: this.#size,
      rows: this.#ownsRows ? this.rows.size : 0,
      valueReaders: this.valueReaders.size,
      presenceReaders: this.presenceReaders.size,
    };
  }

  /** Nothing stands any more in the rows of what has gone: what was derived from it went in the same commit. */
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
