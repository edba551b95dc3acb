/** derive: one output per input item, under the same key. */
import type { Explanation, Transform } from './collection.ts';
import type { CollectionStore } from './collection-store.ts';
import type { Key } from './key.ts';
import { type ChangesByCollection, type Counters, type GraphNode, newCounters, type Tracing } from './node.ts';
import type { NodeFaults } from './quarantine.ts';
import { FAILED, type Reader, type ReadRecorder } from './read-recorder.ts';

export interface DeriveOptions<In, Out> {
  readonly store: CollectionStore<Out>;
  readonly input: CollectionStore<In>;
  readonly transform: Transform<In, Out>;
  readonly equals: (a: Out, b: Out) => boolean;
  readonly prepare: (value: Out) => Out;
  readonly recorder: ReadRecorder;
  readonly faults: NodeFaults;
}

export class DeriveNode<In, Out> implements GraphNode, Reader {
  readonly name: string;
  readonly rank: number;
  readonly items: Map<Key, number> = new Map();
  readonly counters: Counters = newCounters();
  readonly #options: DeriveOptions<In, Out>;
  readonly #dirty = new Set<Key>();
  #cursor: Iterator<Key> | undefined;

  constructor(options: DeriveOptions<In, Out>) {
    this.name = options.store.name;
    this.rank = options.store.rank;
    this.#options = options;
  }

  markDirty(item: Key): void {
    this.#dirty.add(item);
  }

  begin(): boolean {
    for (const change of this.#options.input.changes) this.#dirty.add(change.key);
    this.#cursor = this.#dirty.values();
    return this.#dirty.size > 0;
  }

  step(): boolean {
    const next = this.#cursor?.next();
    if (next === undefined || next.done) return false;
    const value = this.#options.input.now(next.value);
    if (value === undefined) this.#remove(next.value);
    else this.#recompute(next.value, value);
    return true;
  }

  publish(into: ChangesByCollection): void {
    this.#dirty.clear();
    this.#cursor = undefined;
    const { store } = this.#options;
    if (store.changes.length > 0) into.set(store, store.publish());
  }

  explain(key: Key, trace: () => Tracing): Explanation | undefined {
    const { input, transform } = this.#options;
    const value = input.get(key);
    if (value === undefined) return undefined;
    const { read, reads } = trace();
    const told = { node: this.name, key, input: input.name, reads };
    try {
      const output = transform(value, read, key);
      return { ...told, outputs: output === undefined ? [] : [[key, output]] };
    } catch (error) {
      return { ...told, outputs: [], error };
    }
  }

  get sizes(): Readonly<Record<string, number>> {
    const { store, faults } = this.#options;
    return { ...store.sizes, items: this.items.size, dirty: this.#dirty.size, faults: faults.size };
  }

  #remove(key: Key): void {
    const { store, recorder, faults } = this.#options;
    recorder.forget(this, key);
    faults.clear(key);
    const before = store.now(key);
    if (before === undefined) return;
    store.put(key, before, undefined);
    this.counters.changed += 1;
  }

  #recompute(key: Key, value: In): void {
    const { store, transform, recorder, faults } = this.#options;
    this.counters.recomputed += 1;
    const output = recorder.run(this, key, value, transform);
    if (output === FAILED) {
      faults.set(key, recorder.error);
      return;
    }
    const before = store.now(key);
    let same: boolean;
    try {
      same = this.#same(before, output);
    } catch (error) {
      faults.set(key, error);
      return;
    }
    faults.clear(key);
    if (same) {
      this.counters.cutOff += 1;
      return;
    }
    store.put(key, before, output === undefined ? undefined : this.#options.prepare(output));
    this.counters.changed += 1;
  }

  #same(before: Out | undefined, output: Out | undefined): boolean {
    if (before === undefined || output === undefined) return before === output;
    return this.#options.equals(before, output);
  }
}
