/** Runs transforms. Records the reads of each run, and reports every error as an error of its key. */
import type { Collection, Index, Key, Read } from '@meshrelay/plugin';
import { COUNT, NO_READ, type OwnKeyReader, type OwnKeyReaders, PRESENCE, VALUE } from '../edges/own-key-readers.ts';
import type { Dependent, ReadEdges } from '../edges/read-edges.ts';
import { GraphError } from '../errors.ts';
import { KeyedIndex } from '../indexes/keyed-index.ts';
import { ReadableIndex } from '../indexes/readable-index.ts';
import { isThenable, refusePromise } from '../plain-output.ts';
import { NO_ROW } from '../rows/rows.ts';
import { CollectionStore } from '../storage/collection-store.ts';
import { Inline, type Runnable } from './inline.ts';

/** Result of a failed run; the error is in {@link ReadRecorder.error}. */
export const FAILED: unique symbol = Symbol('failed');

/** A node whose transforms read, and its items. */
export interface Reader extends Dependent, OwnKeyReader {
  readonly name: string;
  readonly rank: number;
}

/** An item to run. */
export interface RunningItem<In> {
  readonly key: Key;
  readonly row: number;
  readonly value: In;
  /** True if the item has not run before. */
  readonly isNew: boolean;
}

/** One per graph, because transforms run one at a time. */
export class ReadRecorder {
  readonly #edges: ReadEdges;
  readonly #read: Read;
  #running: Reader | undefined;
  #key: Key = '';
  #row: number = NO_ROW;
  /** Reads of the running item under its own key. */
  #reads: number = NO_READ;
  #refused: GraphError | undefined;
  /** The error of the last failed run. */
  error: unknown;

  constructor(edges: ReadEdges) {
    this.#edges = edges;
    this.#read = this.#newRead();
  }

  /**
   * Runs one item and stores its reads as edges. A failed run stores them too, so the item runs again when they change.
   */
  run<In, Out>(
    reader: Reader,
    item: RunningItem<In>,
    transform: (value: In, read: Read, key: Key) => Out,
  ): Out | typeof FAILED {
    this.#running = reader;
    this.#key = item.key;
    this.#row = item.row;
    this.#reads = NO_READ;
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
    this.#memoize(reader, item);
    return output;
  }

  /** Removes the reads of a deleted item. */
  forget(reader: Reader, row: number): void {
    reader.ownKeyReads.bits.set(row, NO_READ);
    this.#edges.release(reader, row);
  }

  #memoize(reader: Reader, { row, isNew }: RunningItem<unknown>): void {
    reader.ownKeyReads.bits.set(row, this.#reads);
    this.#edges.end(reader, row, isNew);
  }

  #newRead(): Read {
    const edges = this.#edges;
    return {
      get: (collection, key) => {
        if (collection instanceof Inline) return this.#inlineOf(collection).compute(this.#read, key);
        const store = this.#allowed(storeOf(collection, edges));
        if (!this.#notesOwnKeyRead(store.ownKeyReaders, key, VALUE)) edges.note(store.valueReaders, key);
        return this.#valueIn(store, key);
      },
      has: (collection, key) => {
        if (collection instanceof Inline) return this.#inlineOf(collection).compute(this.#read, key) !== undefined;
        const store = this.#allowed(storeOf(collection, edges));
        if (!this.#notesOwnKeyRead(store.ownKeyReaders, key, PRESENCE)) edges.note(store.presenceReaders, key);
        return this.#valueIn(store, key) !== undefined;
      },
      by: (index, bucket) => {
        const keyed = this.#allowed(indexOf(index, edges));
        if (!this.#notesOwnKeyRead(keyed.ownKeyReaders, bucket, VALUE)) edges.note(keyed.entryReaders, bucket);
        return keyed.entriesNow(bucket);
      },
      first: (index, bucket, max) => {
        const keyed = this.#allowed(indexOf(index, edges));
        if (!this.#notesOwnKeyRead(keyed.ownKeyReaders, bucket, VALUE)) edges.note(keyed.entryReaders, bucket);
        return keyed.firstNow(bucket, max);
      },
      count: (index, bucket) => {
        const keyed = this.#allowed(indexOf(index, edges));
        if (!this.#notesOwnKeyRead(keyed.ownKeyReaders, bucket, COUNT)) edges.note(keyed.countReaders, bucket);
        return keyed.countNow(bucket);
      },
      any: (index, bucket) => {
        const keyed = this.#allowed(indexOf(index, edges));
        if (!this.#notesOwnKeyRead(keyed.ownKeyReaders, bucket, PRESENCE)) edges.note(keyed.anyReaders, bucket);
        return keyed.countNow(bucket) > 0;
      },
    };
  }

  #inlineOf<V>(inline: Inline<V>): Inline<V> {
    return this.#allowed(runnableOf(inline, this.#edges) as Inline<V>);
  }

  /**
   * Records a read under the running item's own key. @returns false if the key differs, or the read must become an edge
   */
  #notesOwnKeyRead(readers: OwnKeyReaders, key: Key, way: number): boolean {
    if (key !== this.#key) return false;
    const bit = readers.bitOf(this.#running as Reader, way);
    this.#reads |= bit;
    return bit !== NO_READ;
  }

  #valueIn<V>(store: CollectionStore<V>, key: Key): V | undefined {
    return key === this.#key && store.rows === this.#running?.rows ? store.at(this.#row) : store.now(key);
  }

  /**
   * Rejects reads outside a run and reads of later collections. The latter fail the run even if the transform catches
   * the error.
   */
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

/** The store of a collection of this graph. @throws GRAPH_E_WRONG_GRAPH, GRAPH_E_INLINE */
export function storeOf<V>(collection: Collection<V>, edges: ReadEdges): CollectionStore<V> {
  if (collection instanceof CollectionStore && collection.edges === edges) return collection as CollectionStore<V>;
  if (collection instanceof Inline) throw keepsNothing(collection.name);
  throw foreign('collection', collection);
}

/** The store or inline node of a collection of this graph. @throws GRAPH_E_WRONG_GRAPH */
export function runnableOf<V>(collection: Collection<V>, edges: ReadEdges): Runnable<V> {
  if (collection instanceof Inline && collection.edges === edges) return collection as Inline<V>;
  return storeOf(collection, edges);
}

/** The implementation of an index of this graph. @throws GRAPH_E_WRONG_GRAPH */
export function indexOf<V>(index: Index<V>, edges: ReadEdges): ReadableIndex<V> {
  if (index instanceof ReadableIndex && index.edges === edges) return index as ReadableIndex<V>;
  throw foreign('index', index);
}

/** The node of an index on a collection. @throws GRAPH_E_WRONG_GRAPH */
export function keyedIndexOf<V>(index: Index<V>, edges: ReadEdges): KeyedIndex<V> {
  const found = indexOf(index, edges);
  if (found instanceof KeyedIndex) return found as KeyedIndex<V>;
  throw foreign("collection's index", index);
}

function keepsNothing(name: string): GraphError {
  const message = `${name} is inline and stores no values: only derive, deriveMany, gather and the reads of transforms can use it`;
  return new GraphError('GRAPH_E_INLINE', message);
}

function foreign(what: string, value: { readonly name?: unknown } | undefined): GraphError {
  const name = value?.name === undefined ? String(value) : String(value.name);
  return new GraphError('GRAPH_E_WRONG_GRAPH', `${name} is not a ${what} of this graph: pass one that this graph made`);
}
