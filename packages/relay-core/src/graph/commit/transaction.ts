/** Transactions: collect the writes of one commit to sources before anything changes. */

import type { Key } from '@meshrelay/plugin';
import type { Source, Transaction } from '../collection.ts';
import { GraphError } from '../errors.ts';
import { atOnce } from '../plain-output.ts';
import type { CollectionStore } from '../storage/collection-store.ts';

/** The last write of each key, by source; undefined deletes. */
export type Writes = ReadonlyMap<CollectionStore<unknown>, ReadonlyMap<Key, unknown>>;

/**
 * Runs the callback of a transaction and returns its writes.
 * @param storeOf finds the store of a source, or throws
 * @throws errors of the callback, GRAPH_E_ASYNC if it returns a promise, GRAPH_E_WRITE
 */
export function collectWrites(
  write: (transaction: Transaction) => void,
  storeOf: <V>(source: Source<V>) => CollectionStore<V>,
): Writes {
  const writes = new Map<CollectionStore<unknown>, Map<Key, unknown>>();
  let open = true;
  const writesTo = (source: Source<unknown>): [CollectionStore<unknown>, Map<Key, unknown>] => {
    if (!open) {
      throw new GraphError('GRAPH_E_CLOSED', 'transaction used after its commit: write only inside the callback');
    }
    const store = storeOf(source);
    let staged = writes.get(store);
    if (staged === undefined) {
      staged = new Map();
      writes.set(store, staged);
    }
    return [store, staged];
  };
  const transaction: Transaction = {
    set: (source, key, value) => {
      const [store, staged] = writesTo(source);
      staged.set(key, defined(store, key, value));
    },
    delete: (source, key) => {
      const [, staged] = writesTo(source);
      staged.set(key, undefined);
    },
    replaceAll: (source, entries) => {
      const [store, staged] = writesTo(source);
      const replacement = new Map<Key, unknown>();
      for (const [key, value] of entries) replacement.set(key, defined(store, key, value));
      staged.clear();
      for (const [key] of store.entriesNow()) staged.set(key, undefined);
      for (const [key, value] of replacement) staged.set(key, value);
    },
  };
  try {
    atOnce(write(transaction) as unknown, 'callback of a commit');
  } finally {
    open = false;
  }
  return writes;
}

function defined(store: CollectionStore<unknown>, key: Key, value: unknown): unknown {
  if (typeof key === 'string' && value !== undefined) return value;
  const message = `${store.name}: cannot set ${String(key)} to ${typeof value}: make keys with key(), and delete what is gone`;
  throw new GraphError('GRAPH_E_WRITE', message);
}
