/** Sources: input from outside the graph. */

import type { Key } from '@meshrelay/plugin';
import type { Explanation } from '../collection.ts';
import { type ChangesByCollection, type Counters, type GraphNode, newCounters } from '../commit/node.ts';
import type { NodeFaults } from '../faults/quarantine.ts';
import type { CollectionStore } from '../storage/collection-store.ts';

export interface SourceOptions<V> {
  readonly store: CollectionStore<V>;
  readonly equals: (a: V, b: V) => boolean;
  readonly prepare: (value: V) => V;
  readonly faults: NodeFaults;
}

/** Applies the writes of transactions, the last one of each key, when their commit begins. */
export class SourceNode<V> implements GraphNode {
  readonly name: string;
  readonly store: CollectionStore<V>;
  readonly counters: Counters = newCounters();
  readonly #options: SourceOptions<V>;
  #writes: ReadonlyMap<Key, V | undefined> = new Map();
  #cursor: Iterator<readonly [Key, V | undefined]> | undefined;

  constructor(options: SourceOptions<V>) {
    this.name = options.store.name;
    this.store = options.store;
    this.#options = options;
  }

  /** Stages the writes of the coming commit; undefined deletes. */
  stage(writes: ReadonlyMap<Key, V | undefined>): void {
    this.#writes = writes;
  }

  begin(): boolean {
    this.#cursor = this.#writes.entries();
    return this.#writes.size > 0;
  }

  step(): boolean {
    const next = this.#cursor?.next();
    if (next === undefined || next.done) return false;
    this.#write(next.value[0], next.value[1]);
    return true;
  }

  publish(into: ChangesByCollection): void {
    this.#writes = new Map();
    this.#cursor = undefined;
    if (this.store.changes.length > 0) into.set(this.store, this.store.publish());
  }

  explain(key: Key): Explanation | undefined {
    const value = this.store.get(key);
    return value === undefined ? undefined : { node: this.name, key, reads: [], outputs: [[key, value]] };
  }

  get sizes(): Readonly<Record<string, number>> {
    return { ...this.store.sizes, staged: this.#writes.size, faults: this.#options.faults.size };
  }

  #write(key: Key, value: V | undefined): void {
    const before = this.store.now(key);
    if (value !== undefined) this.counters.recomputed += 1;
    if (before === undefined && value === undefined) return;
    if (before !== undefined && value !== undefined && this.#equal(key, before, value)) {
      this.counters.cutOff += 1;
      return;
    }
    if (value === undefined) this.#options.faults.clear(key);
    this.store.put(key, before, value === undefined ? undefined : this.#options.prepare(value));
    this.counters.changed += 1;
  }

  /** A comparison that throws leaves the key unchanged, and the error is reported. */
  #equal(key: Key, before: V, value: V): boolean {
    try {
      const equal = this.#options.equals(before, value);
      this.#options.faults.clear(key);
      return equal;
    } catch (error) {
      this.#options.faults.set(key, error);
      return true;
    }
  }
}
