/**
 * gather: items of several collections contribute parts to shared keys; one value is made from the parts of each key.
 */
import type { Collection, Group, Key, Read } from '@meshrelay/plugin';
import type { Explanation } from '../collection.ts';
import { ItemQueue } from '../commit/item-queue.ts';
import { type ChangesByCollection, type Counters, type GraphNode, newCounters, type Trace } from '../commit/node.ts';
import { deepEqual } from '../deep-equal.ts';
import { OwnKeyReads } from '../edges/own-key-readers.ts';
import { ItemReads } from '../edges/read-edges.ts';
import type { NodeFaults } from '../faults/quarantine.ts';
import { atOnce, pairsOf } from '../plain-output.ts';
import { FAILED, type Reader, type ReadRecorder, type RunningItem } from '../reads/read-recorder.ts';
import { RowLists } from '../rows/row-lists.ts';
import type { Rows } from '../rows/rows.ts';
import type { CollectionStore } from '../storage/collection-store.ts';
import { GatheredParts } from './gathered-parts.ts';

/** One of the inputs, and the function that returns the parts of its items. */
export interface GatherSide<Part> {
  readonly input: CollectionStore<unknown>;
  readonly gives: (value: unknown, read: Read, key: Key) => Iterable<readonly [Key, Part]>;
  /** Items whose `gives` threw: their last parts stay. */
  readonly faults: NodeFaults;
}

export interface GatherOptions<Part, Out> {
  /** Has the rows that this node takes and frees. */
  readonly store: CollectionStore<Out>;
  readonly sides: ReadonlyArray<GatherSide<Part>>;
  readonly make: (parts: Group<Part>, read: Read, key: Key) => Out | undefined;
  readonly equals: (a: Out, b: Out) => boolean;
  readonly prepare: <T>(value: T) => T;
  readonly recorder: ReadRecorder;
  /** Keys whose `make` threw: their last valid value stays. */
  readonly making: NodeFaults;
}

const NO_ROWS: readonly number[] = Object.freeze([]);

type Contributions<Part> = ReadonlyArray<readonly [Key, Part]>;

/** One of the inputs, which runs its items. */
class Side<Part> implements Reader {
  readonly name: string;
  readonly rank: number;
  readonly rows: Rows;
  readonly reads: ItemReads;
  readonly ownKeyReads: OwnKeyReads;
  readonly number: number;
  readonly input: CollectionStore<unknown>;
  readonly queue: ItemQueue<unknown>;
  readonly faults: NodeFaults;
  readonly collect: (value: unknown, read: Read, key: Key) => Contributions<Part>;
  /** By row of the item: the rows of the keys it contributes to, in the order it returned them. */
  readonly given: RowLists = new RowLists();

  constructor(
    node: { readonly name: string; readonly rank: number },
    number: number,
    { input, gives, faults }: GatherSide<Part>,
  ) {
    this.name = node.name;
    this.rank = node.rank;
    this.number = number;
    this.rows = input.rows;
    this.reads = new ItemReads(this.rows);
    this.ownKeyReads = new OwnKeyReads(this.rows);
    this.input = input;
    this.queue = new ItemQueue(input);
    this.faults = faults;
    this.collect = (value, read, key) => pairsOf(gives(value, read, key), `parts of ${node.name}`);
  }

  markDirty(row: number): void {
    this.queue.wake(row);
  }
}

/**
 * A commit has two phases. First every dirty item returns its parts. Then `make` runs once for each key whose parts, or
 * other reads, have changed.
 */
export class GatherNode<Part, Out> implements GraphNode, Reader {
  readonly name: string;
  readonly rank: number;
  readonly rows: Rows;
  readonly reads: ItemReads;
  readonly ownKeyReads: OwnKeyReads;
  readonly counters: Counters = newCounters();
  readonly #options: GatherOptions<Part, Out>;
  readonly #sides: ReadonlyArray<Side<Part>>;
  readonly #parts: GatheredParts<Part>;
  /**
   * Rows to make again. If the parts changed, the value holds the parts before the running commit, which outside
   * readers still see.
   */
  readonly #dirty = new Map<number, Group<Part> | undefined>();
  #making: Iterator<number> | undefined;

  constructor(options: GatherOptions<Part, Out>) {
    this.name = options.store.name;
    this.rank = options.store.rank;
    this.rows = options.store.rows;
    this.reads = new ItemReads(this.rows);
    this.ownKeyReads = new OwnKeyReads(this.rows);
    this.#options = options;
    this.#sides = options.sides.map((side, at) => new Side(this, at, side));
    this.#parts = new GatheredParts(this.#sides.map((side) => side.rows));
  }

  markDirty(row: number): void {
    if (!this.#dirty.has(row)) this.#dirty.set(row, undefined);
  }

  begin(): boolean {
    this.#making = undefined;
    let any = this.#dirty.size > 0;
    for (const side of this.#sides) any = side.queue.begin() || any;
    return any;
  }

  step(): boolean {
    for (const side of this.#sides) if (side.queue.next()) return this.#stepSide(side);
    this.#making ??= this.#dirty.keys();
    const next = this.#making.next();
    if (next.done) return false;
    this.#converge(next.value);
    return true;
  }

  publish(into: ChangesByCollection): void {
    const { store } = this.#options;
    for (const side of this.#sides) side.queue.end();
    if (store.changes.length > 0) into.set(store, store.publish());
    for (const row of this.#dirty.keys()) if (!this.#parts.has(row)) this.rows.free(row);
    this.#dirty.clear();
    this.#making = undefined;
  }

  /** Reads are the items that contribute to the key, and the reads of `make`. */
  explain(key: Key, trace: Trace): Explanation | undefined {
    const given = this.#parts.given(this.rows.of(key));
    if (given.length === 0) return undefined;
    const { read, reads } = trace(this);
    const items = given.map(({ side, item }) => ({
      collection: this.#sides[side]?.input.name ?? '',
      key: item,
      via: 'get' as const,
    }));
    try {
      const parts = given.map(({ part }) => part);
      const output = atOnce(this.#options.make(parts, read, key), `making of ${this.name}`);
      return {
        node: this.name,
        key,
        reads: [...items, ...reads],
        outputs: output === undefined ? [] : [[key, output]],
      };
    } catch (error) {
      return { node: this.name, key, reads: [...items, ...reads], outputs: [], error };
    }
  }

  /** The parts as of the last finished commit, for readers outside the graph. */
  get parts(): Collection<Group<Part>> {
    const get = (key: Key): Group<Part> | undefined => {
      const row = this.rows.of(key);
      const parts = this.#dirty.get(row) ?? this.#parts.of(row);
      return parts.length === 0 ? undefined : parts;
    };
    const keys = (): Key[] => {
      const rows = new Set([...this.#parts.rows(), ...this.#dirty.keys()]);
      return [...rows].map((row) => this.rows.key(row)).filter((key) => get(key) !== undefined);
    };
    return {
      name: `${this.name}/parts`,
      get,
      has: (key) => get(key) !== undefined,
      entries: () =>
        keys()
          .map((key) => [key, get(key) as Group<Part>] as const)
          .values(),
      get size() {
        return keys().length;
      },
    };
  }

  get sizes(): Readonly<Record<string, number>> {
    const { store, making } = this.#options;
    const given = this.#sides.reduce((sum, side) => sum + side.given.size, 0);
    const readers = [this, ...this.#sides].reduce((sum, { reads }) => sum + reads.size, 0);
    return {
      ...store.sizes,
      rows: this.rows.size,
      parts: this.#parts.size,
      given,
      items: readers,
      dirty: this.#dirty.size + this.#sides.reduce((sum, { queue }) => sum + queue.size, 0),
      faults: making.size + this.#sides.reduce((sum, { faults }) => sum + faults.size, 0),
    };
  }

  #stepSide(side: Side<Part>): true {
    const { queue } = side;
    if (queue.value === undefined) this.#remove(side, queue.key, queue.row);
    else this.#run(side, queue as RunningItem<unknown>);
    return true;
  }

  #remove(side: Side<Part>, key: Key, row: number): void {
    this.#options.recorder.forget(side, row);
    side.faults.clear(key);
    this.#replace(side, row, side.given.get(row), []);
  }

  #run(side: Side<Part>, item: RunningItem<unknown>): void {
    const { recorder } = this.#options;
    this.counters.recomputed += 1;
    const given = recorder.run(side, item, side.collect);
    if (given === FAILED) {
      side.faults.set(item.key, recorder.error);
      return;
    }
    const before = item.isNew ? NO_ROWS : side.given.get(item.row);
    let changed: boolean;
    try {
      changed = this.#areKeysOf(before, given)
        ? this.#revise(side, item.row, before, given)
        : this.#replace(side, item.row, before, given);
    } catch (error) {
      side.faults.set(item.key, error);
      return;
    }
    side.faults.clear(item.key);
    if (!changed) this.counters.cutOff += 1;
  }

  /** Replaces parts under the keys to which an item already contributes. @returns whether any part changed */
  #revise({ number: side }: Side<Part>, row: number, to: readonly number[], given: Contributions<Part>): boolean {
    const others = given.map(([, part], nth) => {
      const before = this.#parts.find(to[nth] as number, { side, row, nth });
      return !deepEqual(before, part);
    });
    for (const [nth, [, part]] of given.entries()) {
      if (others[nth] !== true) continue;
      this.#touch(to[nth] as number);
      this.#parts.revise(to[nth] as number, { side, row, nth }, this.#options.prepare(part));
    }
    return others.includes(true);
  }

  #replace(
    { number: side, given: lists }: Side<Part>,
    row: number,
    before: readonly number[],
    given: Contributions<Part>,
  ): boolean {
    for (const [nth, from] of before.entries()) {
      this.#touch(from);
      this.#parts.remove(from, { side, row, nth });
    }
    const to = given.map(([key, part], nth) => {
      const at = this.rows.take(key);
      this.#touch(at);
      this.#parts.add(at, { side, row, nth }, this.#options.prepare(part));
      return at;
    });
    lists.set(row, to);
    return before.length + to.length > 0;
  }

  #areKeysOf(rows: readonly number[], given: Contributions<Part>): boolean {
    return rows.length === given.length && given.every(([key], nth) => this.rows.of(key) === rows[nth]);
  }

  /** Marks a row dirty before its parts change. */
  #touch(row: number): void {
    if (this.#dirty.get(row) === undefined) this.#dirty.set(row, this.#parts.of(row));
  }

  #converge(row: number): void {
    const { store, recorder, making, make, prepare } = this.#options;
    const key = this.rows.key(row);
    const parts = this.#parts.of(row);
    const before = store.at(row);
    if (parts.length === 0) {
      recorder.forget(this, row);
      making.clear(key);
      this.#put(row, key, before, undefined);
      return;
    }
    this.counters.recomputed += 1;
    const output = recorder.run(this, { key, row, value: prepare(parts), isNew: false }, make);
    if (output === FAILED) {
      making.set(key, recorder.error);
      return;
    }
    try {
      if (this.#same(before, output)) this.counters.cutOff += 1;
      else this.#put(row, key, before, output === undefined ? undefined : prepare(output));
      making.clear(key);
    } catch (error) {
      making.set(key, error);
    }
  }

  #put(row: number, key: Key, before: Out | undefined, after: Out | undefined): void {
    if (before === undefined && after === undefined) return;
    this.#options.store.putAt(row, key, before, after);
    this.counters.changed += 1;
  }

  #same(before: Out | undefined, output: Out | undefined): boolean {
    if (before === undefined || output === undefined) return before === output;
    return this.#options.equals(before, output);
  }
}
