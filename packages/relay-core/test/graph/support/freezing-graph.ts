/** Small graphs for tests: frozen values, and short helpers to write and read. */

import { type Collection, type Key, key } from '@meshrelay/plugin';
import { IncrementalGraph } from '../../../src/graph/graph.ts';
import type { Change, ChangeSet, Source, Transaction } from '../../../src/mod.ts';

export function freezingGraph(): IncrementalGraph {
  return new IncrementalGraph({ freeze: true });
}

/** Sets entries by plain names; undefined deletes. */
export function write<V>(
  graph: IncrementalGraph,
  source: Source<V>,
  values: Readonly<Record<string, V | undefined>>,
): ChangeSet {
  return graph.commit((transaction) => put(transaction, source, values));
}

/** The same within a larger transaction. */
export function put<V>(
  transaction: Transaction,
  source: Source<V>,
  values: Readonly<Record<string, V | undefined>>,
): void {
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) transaction.delete(source, key(name));
    else transaction.set(source, key(name), value);
  }
}

/** A collection as an object, by the parts of its keys. */
export function shown<V>(collection: Collection<V>): Record<string, V> {
  const entries = [...collection.entries()].map(([at, value]) => [nameOf(at), value] as const);
  return Object.fromEntries(entries.sort((a, b) => (a[0] < b[0] ? -1 : 1)));
}

export function reported<V>(changes: ReadonlyArray<Change<V>>): [string, V | undefined, V | undefined][] {
  return changes.map(({ key: at, before, after }) => [nameOf(at), before, after]);
}

/** `node: key: message` of all quarantined keys, sorted. */
export function faults(graph: IncrementalGraph): string[] {
  return [...graph.quarantined.entries()]
    .map(([, { node, key: at, error }]) => `${node}: ${nameOf(at)}: ${(error as Error).message}`)
    .sort();
}

/** The code and node of all quarantined keys. */
export function faultCodes(graph: IncrementalGraph): string[] {
  return [...graph.quarantined.entries()]
    .map(([, { node, key: at, error }]) => `${node} ${nameOf(at)} ${(error as { code?: string }).code}`)
    .sort();
}

function nameOf(at: Key): string {
  return (JSON.parse(at) as string[]).join('/');
}
