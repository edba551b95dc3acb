/** derive: one output per input item, under the same key. */
import type { Key, Transform } from '@meshrelay/plugin';
import type { Explanation } from '../collection.ts';
import { ItemQueue } from '../commit/item-queue.ts';
import { type ChangesByCollection, type Counters, type GraphNode, newCounters, type Trace } from '../commit/node.ts';
import { OwnKeyReads } from '../edges/own-key-readers.ts';
import { ItemReads } from '../edges/read-edges.ts';
import type { NodeFaults } from '../faults/quarantine.ts';
import { atOnce } from '../plain-output.ts';
import { FAILED, type Reader, type ReadRecorder, type RunningItem } from '../reads/read-recorder.ts';
import type { Rows } from '../rows/rows.ts';
import type { CollectionStore } from '../storage/collection-store.ts';

export interface DeriveNodeOptions<In, Out> {
  /** Uses the rows of the input. */
  readonly store: CollectionStore<Out>;
  readonly input: CollectionStore<In>;
  readonly transform: Transform<In, Out>;
  readonly equals: (a: Out, b: Out) => boolean;
  readonly reuse: ((before: Out, after: Out) => Out) | undefined;
  readonly prepare: (value: Out) => Out;
  readonly recorder: ReadRecorder;
  readonly faults: NodeFaults;
}

export class DeriveNode<In, Out> implements GraphNode, Reader {
  readonly name: string;
  readonly rank: number;
  readonly rows: Rows;
  readonly reads: ItemReads;
  readonly ownKeyReads: OwnKeyReads;
  readonly counters: Counters = newCounters();
  readonly #options: DeriveNodeOptions<In, Out>;
  readonly #queue: ItemQueue<In>;

  constructor(options: DeriveNodeOptions<In, Out>) {
    this.name = options.store.name;
    this.rank = options.store.rank;
    this.rows = options.input.rows;
    this.reads = new ItemReads(this.rows);
    this.ownKeyReads = new OwnKeyReads(this.rows);
    this.#options = options;
    this.#queue = new ItemQueue(options.input);
  }

  markDirty(row: number): void {
    this.#queue.wake(row);
  }

  begin(): boolean {
    return this.#queue.begin();
  }

  step(): boolean {
    const queue = this.#queue;
    if (!queue.next()) return false;
    if (queue.value === undefined) this.#remove(queue.key, queue.row);
    else this.#recompute(queue as RunningItem<In>);
    return true;
  }

  publish(into: ChangesByCollection): void {
    this.#queue.end();
    const { store } = this.#options;
    if (store.changes.length > 0) into.set(store, store.publish());
  }

  explain(key: Key, trace: Trace): Explanation | undefined {
    const { input, transform } = this.#options;
    const value = input.get(key);
    if (value === undefined) return undefined;
    const { read, reads } = trace(this);
    const reported = { node: this.name, key, input: input.name, reads };
    try {
      const output = atOnce(transform(value, read, key), `transform of ${this.name}`);
      return { ...reported, outputs: output === undefined ? [] : [[key, output]] };
    } catch (error) {
      return { ...reported, outputs: [], error };
    }
  }

  get sizes(): Readonly<Record<string, number>> {
    const { store, faults } = this.#options;
    return { ...store.sizes, items: this.reads.size, dirty: this.#queue.size, faults: faults.size };
  }

  #remove(key: Key, row: number): void {
    const { store, recorder, faults } = this.#options;
    recorder.forget(this, row);
    faults.clear(key);
    const before = store.at(row);
    if (before === undefined) return;
    store.putAt(row, key, before, undefined);
    this.counters.changed += 1;
  }

  #recompute(item: RunningItem<In>): void {
    const { key, row } = item;
    const { store, transform, recorder, faults } = this.#options;
    this.counters.recomputed += 1;
    const output = recorder.run(this, item, transform);
    if (output === FAILED) {
      faults.set(key, recorder.error);
      return;
    }
    const before = item.isNew ? undefined : store.at(row);
    let same: boolean;
    let value: Out | undefined;
    try {
      same = this.#same(before, output);
      value = same ? before : this.#reusing(before, output);
    } catch (error) {
      faults.set(key, error);
      return;
    }
    faults.clear(key);
    if (same) {
      this.counters.cutOff += 1;
      return;
    }
    store.putAt(row, key, before, value === undefined ? undefined : this.#options.prepare(value));
    this.counters.changed += 1;
  }

  #reusing(before: Out | undefined, after: Out | undefined): Out | undefined {
    const { reuse } = this.#options;
    return reuse === undefined || before === undefined || after === undefined ? after : reuse(before, after);
  }

  #same(before: Out | undefined, output: Out | undefined): boolean {
    if (before === undefined || output === undefined) return before === output;
    return this.#options.equals(before, output);
  }
}
