/** deriveMany: any number of outputs per input item, under keys of their own. */
import { Claims } from './claims.ts';
import type { Explanation, ManyTransform, Read } from './collection.ts';
import type { CollectionStore } from './collection-store.ts';
import { DuplicateReports, duplicateOutput } from './duplicates.ts';
import type { Key } from './key.ts';
import { type ChangesByCollection, type Counters, type GraphNode, newCounters, type Tracing } from './node.ts';
import { pairsOf } from './plain-output.ts';
import type { NodeFaults } from './quarantine.ts';
import { FAILED, type Reader, type ReadRecorder } from './read-recorder.ts';

export interface DeriveManyOptions<In, Out> {
  readonly store: CollectionStore<Out>;
  readonly input: CollectionStore<In>;
  readonly transform: ManyTransform<In, Out>;
  readonly equals: (a: Out, b: Out) => boolean;
  readonly prepare: (value: Out) => Out;
  readonly recorder: ReadRecorder;
  /** Faults of single runs, by item. */
  readonly faults: NodeFaults;
  /** Outputs left out because another item has their key, by (item, output key). */
  readonly duplicates: NodeFaults;
}

const NONE: readonly Key[] = Object.freeze([]);

/**
 * First every dirty item runs and changes its claims on output keys, then each claimed or released key is settled once; so a key can move
 * from one item to another within a commit, and nobody sees it gone in between.
 */
export class DeriveManyNode<In, Out> implements GraphNode, Reader {
  readonly name: string;
  readonly rank: number;
  readonly items: Map<Key, number> = new Map();
  readonly counters: Counters = newCounters();
  readonly #options: DeriveManyOptions<In, Out>;
  readonly #collect: (value: In, read: Read, key: Key) => ReadonlyMap<Key, Out>;
  readonly #claims = new Claims<Out>();
  /** Item key -> the output keys it claims. */
  readonly #outputs = new Map<Key, readonly Key[]>();
  readonly #duplicates: DuplicateReports;
  readonly #dirty = new Set<Key>();
  /** Output keys to settle; true where the winning item may be another one than before, so that the value must be compared. */
  readonly #unsettled = new Map<Key, boolean>();
  #cursor: Iterator<Key> | undefined;
  #settling: Iterator<readonly [Key, boolean]> | undefined;

  constructor(options: DeriveManyOptions<In, Out>) {
    this.name = options.store.name;
    this.rank = options.store.rank;
    this.#options = options;
    this.#duplicates = new DuplicateReports(this.name, options.duplicates);
    this.#collect = (value, read, key) => collectOutputs(this.name, key, options.transform(value, read, key));
  }

  markDirty(item: Key): void {
    this.#dirty.add(item);
  }

  begin(): boolean {
    for (const change of this.#options.input.changes) this.#dirty.add(change.key);
    this.#cursor = this.#dirty.values();
    this.#settling = undefined;
    return this.#dirty.size > 0;
  }

  step(): boolean {
    const next = this.#cursor?.next();
    if (next !== undefined && !next.done) {
      const value = this.#options.input.now(next.value);
      if (value === undefined) this.#remove(next.value);
      else this.#recompute(next.value, value);
      return true;
    }
    this.#settling ??= this.#unsettled.entries();
    const unsettled = this.#settling.next();
    if (unsettled.done) return false;
    this.#settle(unsettled.value[0], unsettled.value[1]);
    return true;
  }

  publish(into: ChangesByCollection): void {
    this.#dirty.clear();
    this.#unsettled.clear();
    this.#cursor = undefined;
    this.#settling = undefined;
    const { store } = this.#options;
    if (store.changes.length > 0) into.set(store, store.publish());
  }

  /** `of` is an output key, or else the key of an input item (which may have no output). */
  explain(of: Key, trace: () => Tracing): Explanation | undefined {
    const key = this.#claims.winner(of)?.item ?? of;
    const value = this.#options.input.get(key);
    if (value === undefined) return undefined;
    const { read, reads } = trace();
    const told = { node: this.name, key, input: this.#options.input.name, reads };
    try {
      return { ...told, outputs: [...this.#collect(value, read, key)] };
    } catch (error) {
      return { ...told, outputs: [], error };
    }
  }

  get sizes(): Readonly<Record<string, number>> {
    const { store, faults, duplicates } = this.#options;
    return {
      ...store.sizes,
      items: this.items.size,
      claims: this.#claims.size,
      outputs: this.#outputs.size,
      contested: this.#duplicates.size,
      dirty: this.#dirty.size + this.#unsettled.size,
      faults: faults.size + duplicates.size,
    };
  }

  #remove(key: Key): void {
    this.#options.recorder.forget(this, key);
    this.#options.faults.clear(key);
    for (const output of this.#outputs.get(key) ?? NONE) this.#release(output, key);
    this.#outputs.delete(key);
  }

  #recompute(key: Key, value: In): void {
    const { recorder, faults } = this.#options;
    this.counters.recomputed += 1;
    const outputs = recorder.run(this, key, value, this.#collect);
    if (outputs === FAILED) {
      faults.set(key, recorder.error);
      return;
    }
    let changed: readonly Key[];
    try {
      changed = this.#changedValues(key, outputs);
    } catch (error) {
      faults.set(key, error);
      return;
    }
    faults.clear(key);
    if (!this.#claim(key, outputs, changed)) this.counters.cutOff += 1;
  }

  /** The keys this item claims already and now gives another value. */
  #changedValues(key: Key, outputs: ReadonlyMap<Key, Out>): readonly Key[] {
    const changed: Key[] = [];
    for (const [output, value] of outputs) {
      const claim = this.#claims.of(output, key);
      if (claim !== undefined && !this.#options.equals(claim.value, value)) changed.push(output);
    }
    return changed;
  }

  /** @returns whether anything is different from before */
  #claim(key: Key, outputs: ReadonlyMap<Key, Out>, changed: readonly Key[]): boolean {
    const before = this.#outputs.get(key) ?? NONE;
    let different = changed.length > 0;
    for (const output of before) {
      if (outputs.has(output)) continue;
      this.#release(output, key);
      different = true;
    }
    for (const output of changed) {
      const claim = this.#claims.of(output, key);
      if (claim !== undefined) claim.value = this.#options.prepare(outputs.get(output) as Out);
      if (!this.#unsettled.has(output)) this.#unsettled.set(output, false);
    }
    for (const [output, value] of outputs) {
      if (this.#claims.of(output, key) !== undefined) continue;
      this.#claims.add(output, key, this.#options.prepare(value));
      this.#unsettled.set(output, true);
      different = true;
    }
    if (outputs.size > 0) this.#outputs.set(key, [...outputs.keys()]);
    else this.#outputs.delete(key);
    return different;
  }

  #release(output: Key, item: Key): void {
    this.#claims.remove(output, item);
    this.#unsettled.set(output, true);
  }

  /** Gives the output key to the first of its claims and reports the others. */
  #settle(output: Key, compare: boolean): void {
    const { store } = this.#options;
    const winner = this.#claims.winner(output);
    const losers = this.#claims.losers(output);
    this.#duplicates.report(
      output,
      winner?.item,
      losers.map((claim) => claim.item),
    );
    const before = store.now(output);
    if (winner?.value === before) return;
    if (compare && winner !== undefined && before !== undefined && this.#equal(winner.item, before, winner.value)) {
      winner.value = before;
      return;
    }
    store.put(output, before, winner?.value);
    this.counters.changed += 1;
  }

  /** A comparison that throws costs a needless change, and is reported. */
  #equal(item: Key, before: Out, value: Out): boolean {
    try {
      return this.#options.equals(before, value);
    } catch (error) {
      this.#options.faults.set(item, error);
      return false;
    }
  }
}

function collectOutputs<Out>(node: string, key: Key, outputs: Iterable<readonly [Key, Out]>): ReadonlyMap<Key, Out> {
  const collected = new Map<Key, Out>();
  for (const [output, value] of pairsOf(outputs, `transform of ${node}`)) {
    if (collected.has(output)) throw duplicateOutput(node, output, key, key);
    collected.set(output, value);
  }
  return collected;
}
