/** join: the union of collections with disjoint keys. */

import type { Key } from '@meshrelay/plugin';
import type { Explanation } from '../collection.ts';
import { type ChangesByCollection, type Counters, type GraphNode, newCounters } from '../commit/node.ts';
import { deepEqual } from '../deep-equal.ts';
import { GraphError } from '../errors.ts';
import type { NodeFaults } from '../faults/quarantine.ts';
import type { CollectionStore } from '../storage/collection-store.ts';

export interface JoinOptions<V> {
  readonly store: CollectionStore<V>;
  readonly inputs: readonly CollectionStore<V>[];
  readonly faults: NodeFaults;
}

/** If inputs share a key, the first input keeps it, and the key is reported for the others. */
export class JoinNode<V> implements GraphNode {
  readonly name: string;
  readonly counters: Counters = newCounters();
  readonly #options: JoinOptions<V>;
  readonly #dirty = new Set<Key>();
  #cursor: Iterator<Key> | undefined;

  constructor(options: JoinOptions<V>) {
    this.name = options.store.name;
    this.#options = options;
  }

  begin(): boolean {
    for (const input of this.#options.inputs) for (const key of input.changes.keys) this.#dirty.add(key);
    this.#cursor = this.#dirty.values();
    return this.#dirty.size > 0;
  }

  step(): boolean {
    const next = this.#cursor?.next();
    if (next === undefined || next.done) return false;
    this.#converge(next.value);
    return true;
  }

  publish(into: ChangesByCollection): void {
    this.#dirty.clear();
    this.#cursor = undefined;
    const { store } = this.#options;
    if (store.changes.length > 0) into.set(store, store.publish());
  }

  explain(key: Key): Explanation | undefined {
    const { store, inputs } = this.#options;
    const value = store.get(key);
    const from = inputs.filter((input) => input.has(key));
    if (value === undefined || from.length === 0) return undefined;
    const reads = from.map((input) => ({ collection: input.name, key, via: 'get' as const }));
    return { node: this.name, key, reads, outputs: [[key, value]] };
  }

  get sizes(): Readonly<Record<string, number>> {
    const { store, faults } = this.#options;
    return { ...store.sizes, dirty: this.#dirty.size, faults: faults.size };
  }

  #converge(key: Key): void {
    const { store, inputs, faults } = this.#options;
    this.counters.recomputed += 1;
    let winner: CollectionStore<V> | undefined;
    let loser: CollectionStore<V> | undefined;
    for (const input of inputs) {
      if (input.now(key) === undefined) continue;
      if (winner === undefined) winner = input;
      else loser ??= input;
    }
    const before = store.now(key);
    const after = winner?.now(key);
    let same: boolean;
    try {
      same = deepEqual(before, after);
    } catch (error) {
      faults.set(key, error);
      return;
    }
    if (winner !== undefined && loser !== undefined) faults.set(key, meeting(this.name, key, winner.name, loser.name));
    else faults.clear(key);
    if (same) {
      this.counters.cutOff += 1;
      return;
    }
    store.put(key, before, after);
    this.counters.changed += 1;
  }
}

function meeting(node: string, key: Key, winner: string, loser: string): GraphError {
  const message = `${node}: ${winner} and ${loser} both have the key ${key}, and only that of ${winner} is kept: give their keys different parts`;
  return new GraphError('GRAPH_E_DUPLICATE', message);
}
