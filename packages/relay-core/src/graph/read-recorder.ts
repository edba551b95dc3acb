/** Runs transforms: records what each run reads, and turns whatever goes wrong into a fault of its key. */
import type { Collection, Index, Read } from './collection.ts';
import { CollectionStore } from './collection-store.ts';
import { GraphError } from './errors.ts';
import { Inline, type Runnable } from './inline.ts';
import type { Key } from './key.ts';
import { KeyedIndex } from './keyed-index.ts';
import { NO_LOOK, type RowReader } from './own-row-readers.ts';
import { isThenable, refusePromise } from './plain-output.ts';
import { type Dependent, NO_READS, type ReadEdges } from './read-edges.ts';
import { NO_ROW, type Rows, setInColumn } from './rows.ts';

/** What a failed run gives instead of an output; the error is then in {@link ReadRecorder.error}. */
export const FAILED: unique symbol = Symbol('failed');

/** A node whose transforms read, with the items that do. */
export interface Reader extends Dependent, RowReader {
  readonly name: string;
  readonly rank: number;
  /** Where its items stand: in the rows of what it is made of. */
  readonly rows: Rows;
  /** By row: the item's number; undefined or {@link NO_READS} for items that read nothing but their own row. */
  readonly items: number[];
}

/** An item of a node that is to run. */
export interface RunningItem<In> {
  readonly key: Key;
  readonly row: number;
  readonly value: In;
  /** The item has not run before. */
  readonly isNew: boolean;
}

/** One per graph: transforms run one at a time. */
export class ReadRecorder {
  readonly #edges: ReadEdges;
  readonly #read: Read;
  #running: Reader | undefined;
  #key: Key = '';
  #row: number = NO_ROW;
  /** What the running item has looked at in its own row. */
  #looks: number = NO_LOOK;
  #refused: GraphError | undefined;
  /** Why the last run failed. */
  error: unknown;

  constructor(edges: ReadEdges) {
    this.#edges = edges;
    this.#read = this.#newRead();
  }

  /** Runs one item and keeps what it read as its edges, also when it fails: it runs again when those change. */
  run<In, Out>(
    reader: Reader,
    item: RunningItem<In>,
    transform: (value: In, read: Read, key: Key) => Out,
  ): Out | typeof FAILED {
    this.#running = reader;
    this.#key = item.key;
    this.#row = item.row;
    this.#looks = NO_LOOK;
    this.#refused = undefined;
    this.#edges.begin();
    let output: Out | typeof FAILED;
    try {
      output = transform(item.value, this.#read, item.key);
      if (this.#refused !== undefined) throw this.#refused;
      if (isThenable(output)) throw refusePromise(output, `transform of ${reader.name}`);
    } catch (error) {
      this.error = error;
      output = FAILED;
    }
    this.#running = undefined;
    this.#remember(reader, item);
    return output;
  }

  /** Forgets an item that is gone. */
  forget(reader: Reader, row: number): void {
    if (reader.looks[row] !== undefined) reader.looks[row] = NO_LOOK;
    const item = reader.items[row];
    if (item === undefined || item === NO_READS) return;
    this.#edges.release(item);
    reader.items[row] = NO_READS;
  }

  #remember(reader: Reader, { row, isNew }: RunningItem<unknown>): void {
    if (this.#looks !== NO_LOOK || reader.looks[row] !== undefined)
      setInColumn(reader.looks, row, this.#looks, NO_LOOK);
    const item = isNew ? NO_READS : (reader.items[row] ?? NO_READS);
    const after = this.#edges.end(item, reader, row);
    if (after !== item) setInColumn(reader.items, row, after, NO_READS);
  }

  #newRead(): Read {
    const edges = this.#edges;
    return {
      get: (collection, key) => {
        if (collection instanceof Inline) return this.#inlineOf(collection).lookedAt(this.#read, key);
        const store = this.#allowed(storeOf(collection, edges));
        if (this.#looksAtOwnRow(store, key, false)) return store.at(this.#row);
        edges.note(store.valueReaders, key);
        return store.now(key);
      },
      has: (collection, key) => {
        if (collection instanceof Inline) return this.#inlineOf(collection).lookedAt(this.#read, key) !== undefined;
        const store = this.#allowed(storeOf(collection, edges));
        if (this.#looksAtOwnRow(store, key, true)) return store.at(this.#row) !== undefined;
        edges.note(store.presenceReaders, key);
        return store.now(key) !== undefined;
      },
      by: (index, bucket) => {
        const keyed = this.#allowed(indexOf(index, edges));
        edges.note(keyed.entryReaders, bucket);
        return keyed.entriesNow(bucket);
      },
      count: (index, bucket) => {
        const keyed = this.#allowed(indexOf(index, edges));
        edges.note(keyed.countReaders, bucket);
        return keyed.countNow(bucket);
      },
      any: (index, bucket) => {
        const keyed = this.#allowed(indexOf(index, edges));
        edges.note(keyed.anyReaders, bucket);
        return keyed.countNow(bucket) > 0;
      },
    };
  }

  #inlineOf<V>(inline: Inline<V>): Inline<V> {
    return this.#allowed(runnableOf(inline, this.#edges) as Inline<V>);
  }

  /** Records a look at the running item's own row. @returns false where it is none, or must be an edge */
  #looksAtOwnRow(store: CollectionStore<unknown>, key: Key, presence: boolean): boolean {
    const reader = this.#running as Reader;
    if (store.rows !== reader.rows || key !== this.#key) return false;
    const bit = store.ownRowReaders.bitOf(reader, presence);
    this.#looks |= bit;
    return bit !== NO_LOOK;
  }

  /** Refuses reads outside a run and reads of later collections; the latter fail the run even if the transform catches them. */
  #allowed<T extends { readonly name: string; readonly rank: number }>(target: T): T {
    const reader = this.#running;
    if (reader === undefined) {
      throw new GraphError(
        'GRAPH_E_CLOSED',
        `read of ${target.name} after its transform had ended: read only inside the call`,
      );
    }
    if (target.rank < reader.rank) return target;
    this.#refused = laterCollection(reader.name, target.name);
    throw this.#refused;
  }
}

export function laterCollection(node: string, target: string): GraphError {
  const message = `${node} reads ${target}, which was made later: make ${target} before ${node}`;
  return new GraphError('GRAPH_E_ORDER', message);
}

/** The store behind a collection of this graph. @throws GRAPH_E_FOREIGN */
export function storeOf<V>(collection: Collection<V>, edges: ReadEdges): CollectionStore<V> {
  if (collection instanceof CollectionStore && collection.edges === edges) return collection as CollectionStore<V>;
  if (collection instanceof Inline) throw keepsNothing(collection.name);
  throw foreign('collection', collection);
}

/** The store, or inline node, behind a collection of this graph. @throws GRAPH_E_FOREIGN */
export function runnableOf<V>(collection: Collection<V>, edges: ReadEdges): Runnable<V> {
  if (collection instanceof Inline && collection.edges === edges) return collection as Inline<V>;
  return storeOf(collection, edges);
}

/** The node behind an index of this graph. @throws GRAPH_E_FOREIGN */
export function indexOf<V>(index: Index<V>, edges: ReadEdges): KeyedIndex<V> {
  if (index instanceof KeyedIndex && index.edges === edges) return index as KeyedIndex<V>;
  throw foreign('index', index);
}

function keepsNothing(name: string): GraphError {
  const message = `${name} is inline and keeps nothing to work on: derive, deriveMany and gather can be made of it, and runs can look at it`;
  return new GraphError('GRAPH_E_INLINE', message);
}

function foreign(what: string, value: { readonly name?: unknown } | undefined): GraphError {
  const name = value?.name === undefined ? String(value) : String(value.name);
  return new GraphError('GRAPH_E_FOREIGN', `${name} is not a ${what} of this graph: pass one that this graph made`);
}
