/** Runs transforms: records what each run reads, and turns whatever goes wrong into a fault of its key. */
import type { Collection, Index, Read } from './collection.ts';
import { CollectionStore } from './collection-store.ts';
import { GraphError } from './errors.ts';
import type { Key } from './key.ts';
import { KeyedIndex } from './keyed-index.ts';
import { isThenable, refusePromise } from './plain-output.ts';
import { type Dependent, NO_READS, type ReadEdges } from './read-edges.ts';

/** What a failed run gives instead of an output; the error is then in {@link ReadRecorder.error}. */
export const FAILED: unique symbol = Symbol('failed');

/** A node whose transforms read, with the items that do. */
export interface Reader extends Dependent {
  readonly name: string;
  readonly rank: number;
  /** Item key -> item number, only for items that read something. */
  readonly items: Map<Key, number>;
}

/** One per graph: transforms run one at a time. */
export class ReadRecorder {
  readonly #edges: ReadEdges;
  readonly #read: Read;
  #running: Reader | undefined;
  #refused: GraphError | undefined;
  /** Why the last run failed. */
  error: unknown;

  constructor(edges: ReadEdges) {
    this.#edges = edges;
    this.#read = this.#newRead();
  }

  /**
   * Runs one item and keeps what it read as its edges, also when it fails: it runs again when those change.
   * @param isNew the item has not run before
   */
  run<In, Out>(
    reader: Reader,
    key: Key,
    value: In,
    isNew: boolean,
    transform: (value: In, read: Read, key: Key) => Out,
  ): Out | typeof FAILED {
    this.#running = reader;
    this.#refused = undefined;
    this.#edges.begin();
    let output: Out | typeof FAILED;
    try {
      output = transform(value, this.#read, key);
      if (this.#refused !== undefined) throw this.#refused;
      if (isThenable(output)) throw refusePromise(output, `transform of ${reader.name}`);
    } catch (error) {
      this.error = error;
      output = FAILED;
    }
    this.#running = undefined;
    const item = isNew ? NO_READS : (reader.items.get(key) ?? NO_READS);
    const after = this.#edges.end(item, reader, key);
    if (after !== item) {
      if (after === NO_READS) reader.items.delete(key);
      else reader.items.set(key, after);
    }
    return output;
  }

  /** Forgets an item that is gone. */
  forget(reader: Reader, key: Key): void {
    const item = reader.items.get(key);
    if (item === undefined) return;
    this.#edges.release(item);
    reader.items.delete(key);
  }

  #newRead(): Read {
    const edges = this.#edges;
    return {
      get: (collection, key) => {
        const store = this.#allowed(storeOf(collection, edges));
        edges.note(store.valueReaders, key);
        return store.now(key);
      },
      has: (collection, key) => {
        const store = this.#allowed(storeOf(collection, edges));
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
    };
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
  throw foreign('collection', collection);
}

/** The node behind an index of this graph. @throws GRAPH_E_FOREIGN */
export function indexOf<V>(index: Index<V>, edges: ReadEdges): KeyedIndex<V> {
  if (index instanceof KeyedIndex && index.edges === edges) return index as KeyedIndex<V>;
  throw foreign('index', index);
}

function foreign(what: string, value: { readonly name?: unknown } | undefined): GraphError {
  const name = value?.name === undefined ? String(value) : String(value.name);
  return new GraphError('GRAPH_E_FOREIGN', `${name} is not a ${what} of this graph: pass one that this graph made`);
}
