/** deriveMany: any number of outputs per input item, each with its own key. */

import type { Key, ManyTransform, Read } from '@meshrelay/plugin';
import type { Explanation } from '../collection.ts';
import { ItemQueue } from '../commit/item-queue.ts';
import { type ChangesByCollection, type Counters, type GraphNode, newCounters, type Trace } from '../commit/node.ts';
import { OwnKeyReads } from '../edges/own-key-readers.ts';
import { ItemReads } from '../edges/read-edges.ts';
import { DuplicateReports, duplicateOutput } from '../faults/duplicates.ts';
import type { NodeFaults } from '../faults/quarantine.ts';
import { pairsOf } from '../plain-output.ts';
import { FAILED, type Reader, type ReadRecorder, type RunningItem } from '../reads/read-recorder.ts';
import { KeyColumn } from '../rows/key-column.ts';
import { membership, NO_KEYS } from '../rows/key-list.ts';
import type { Rows } from '../rows/rows.ts';
import type { CollectionStore } from '../storage/collection-store.ts';
import { type Claim, Claims } from './claims.ts';

export interface DeriveManyOptions<In, Out> {
  readonly store: CollectionStore<Out>;
  readonly input: CollectionStore<In>;
  readonly transform: ManyTransform<In, Out>;
  readonly equals: (a: Out, b: Out) => boolean;
  readonly prepare: (value: Out) => Out;
  readonly recorder: ReadRecorder;
  /** Errors of single runs, by item. */
  readonly faults: NodeFaults;
  /** Outputs dropped because another item has their key, by (item, output key). */
  readonly duplicates: NodeFaults;
}

/** Outputs of one run, without repeated keys. */
type Outputs<Out> = ReadonlyArray<readonly [Key, Out]>;

/** An existing claim of an item, and its new value. */
interface Revision<Out> {
  readonly claim: Claim<Out>;
  readonly output: Key;
  readonly value: Out;
}

/**
 * A commit has two phases. First every dirty item runs and updates its claims on output keys. Then each claimed or
 * released key is resolved once. A key can therefore move between items within a commit, and no reader sees it missing
 * in between.
 */
export class DeriveManyNode<In, Out> implements GraphNode, Reader {
  readonly name: string;
  readonly rank: number;
  readonly rows: Rows;
  readonly reads: ItemReads;
  readonly ownKeyReads: OwnKeyReads;
  readonly counters: Counters = newCounters();
  readonly #options: DeriveManyOptions<In, Out>;
  readonly #collect: (value: In, read: Read, key: Key) => Outputs<Out>;
  readonly #claims = new Claims<Out>();
  /** By row of the item: the output keys it claims. */
  readonly #outputs = new KeyColumn();
  readonly #duplicates: DuplicateReports;
  readonly #queue: ItemQueue<In>;
  /** Output keys to resolve. True if the winning item may have changed, so that the value must be compared. */
  readonly #unsettled = new Map<Key, boolean>();
  #settling: Iterator<Key> | undefined;

  constructor(options: DeriveManyOptions<In, Out>) {
    this.name = options.store.name;
    this.rank = options.store.rank;
    this.rows = options.input.rows;
    this.reads = new ItemReads(this.rows);
    this.ownKeyReads = new OwnKeyReads(this.rows);
    this.#options = options;
    this.#queue = new ItemQueue(options.input);
    this.#duplicates = new DuplicateReports(this.name, options.duplicates);
    this.#collect = (value, read, key) => collectOutputs(this.name, key, options.transform(value, read, key));
  }

  markDirty(row: number): void {
    this.#queue.wake(row);
  }

  begin(): boolean {
    this.#settling = undefined;
    return this.#queue.begin();
  }

  step(): boolean {
    const queue = this.#queue;
    if (queue.next()) {
      if (queue.value === undefined) this.#remove(queue.key, queue.row);
      else this.#recompute(queue as RunningItem<In>);
      return true;
    }
    this.#settling ??= this.#unsettled.keys();
    const unsettled = this.#settling.next();
    if (unsettled.done) return false;
    this.#converge(unsettled.value, this.#unsettled.get(unsettled.value) === true);
    return true;
  }

  publish(into: ChangesByCollection): void {
    this.#queue.end();
    this.#unsettled.clear();
    this.#settling = undefined;
    const { store } = this.#options;
    if (store.changes.length > 0) into.set(store, store.publish());
  }

  /** `of` is an output key, or the key of an input item (which may have no output). */
  explain(of: Key, trace: Trace): Explanation | undefined {
    const key = this.#claims.winner(of)?.item ?? of;
    const value = this.#options.input.get(key);
    if (value === undefined) return undefined;
    const { read, reads } = trace(this);
    const reported = { node: this.name, key, input: this.#options.input.name, reads };
    try {
      return { ...reported, outputs: this.#collect(value, read, key) };
    } catch (error) {
      return { ...reported, outputs: [], error };
    }
  }

  get sizes(): Readonly<Record<string, number>> {
    const { store, faults, duplicates } = this.#options;
    return {
      ...store.sizes,
      items: this.reads.size,
      claims: this.#claims.size,
      outputs: this.#outputs.size,
      contested: this.#duplicates.size,
      dirty: this.#queue.size + this.#unsettled.size,
      faults: faults.size + duplicates.size,
    };
  }

  #remove(key: Key, row: number): void {
    this.#options.recorder.forget(this, row);
    this.#options.faults.clear(key);
    for (const output of this.#outputs.get(row)) this.#release(output, key);
    this.#outputs.set(row, NO_KEYS);
  }

  #recompute(item: RunningItem<In>): void {
    const { key, row } = item;
    const { recorder, faults } = this.#options;
    this.counters.recomputed += 1;
    const outputs = recorder.run(this, item, this.#collect);
    if (outputs === FAILED) {
      faults.set(key, recorder.error);
      return;
    }
    const before = item.isNew ? NO_KEYS : this.#outputs.get(row);
    let revisions: readonly Revision<Out>[];
    try {
      revisions = this.#revisions(key, before, outputs);
    } catch (error) {
      faults.set(key, error);
      return;
    }
    faults.clear(key);
    for (const revision of revisions) this.#revise(revision);
    const moved = this.#move(item, before, outputs);
    if (!moved && revisions.length === 0) this.counters.cutOff += 1;
  }

  #revisions(key: Key, before: readonly Key[], outputs: Outputs<Out>): readonly Revision<Out>[] {
    if (before.length === 0) return [];
    const revisions: Revision<Out>[] = [];
    for (const [output, value] of outputs) {
      const claim = this.#claims.of(output, key);
      if (claim !== undefined && !this.#options.equals(claim.value, value)) revisions.push({ claim, output, value });
    }
    return revisions;
  }

  #revise({ claim, output, value }: Revision<Out>): void {
    claim.value = this.#options.prepare(value);
    if (!this.#unsettled.has(output)) this.#unsettled.set(output, false);
  }

  /** Releases and adds claims. @returns whether any claim changed */
  #move({ key, row }: RunningItem<In>, before: readonly Key[], outputs: Outputs<Out>): boolean {
    if (before.length === 0) return this.#claimAll(key, row, outputs);
    const keys = outputs.map(([output]) => output);
    const stays = membership(keys);
    const had = membership(before);
    let moved = false;
    for (const output of before) {
      if (stays.has(output)) continue;
      this.#release(output, key);
      moved = true;
    }
    for (const [output, value] of outputs) {
      if (had.has(output)) continue;
      this.#claims.add(output, key, this.#options.prepare(value));
      this.#unsettled.set(output, true);
      moved = true;
    }
    this.#outputs.set(row, keys);
    return moved;
  }

  /** Adds the claims of an item that has none yet. */
  #claimAll(key: Key, row: number, outputs: Outputs<Out>): boolean {
    if (outputs.length === 0) return false;
    for (const [output, value] of outputs) {
      this.#claims.add(output, key, this.#options.prepare(value));
      this.#unsettled.set(output, true);
    }
    this.#outputs.set(
      row,
      outputs.map(([output]) => output),
    );
    return true;
  }

  #release(output: Key, item: Key): void {
    this.#claims.remove(output, item);
    this.#unsettled.set(output, true);
  }

  /** Assigns the output key to its winning claim and reports the others. */
  #converge(output: Key, compare: boolean): void {
    const { store } = this.#options;
    const winner = this.#claims.winner(output);
    if (this.#claims.contested > 0 || this.#duplicates.size > 0) this.#reportLosers(output, winner);
    const before = store.now(output);
    if (winner?.value === before) return;
    if (compare && winner !== undefined && before !== undefined && this.#equal(winner.item, before, winner.value)) {
      winner.value = before;
      return;
    }
    store.put(output, before, winner?.value);
    this.counters.changed += 1;
  }

  #reportLosers(output: Key, winner: Claim<Out> | undefined): void {
    const losers = this.#claims.losers(output).map((claim) => claim.item);
    this.#duplicates.report(output, winner?.item, losers);
  }

  /** A comparison that throws counts as a change, and is reported. */
  #equal(item: Key, before: Out, value: Out): boolean {
    try {
      return this.#options.equals(before, value);
    } catch (error) {
      this.#options.faults.set(item, error);
      return false;
    }
  }
}

function collectOutputs<Out>(node: string, key: Key, outputs: Iterable<readonly [Key, Out]>): Outputs<Out> {
  const collected = pairsOf(outputs, `transform of ${node}`);
  if (collected.length < 2) return collected;
  const keys = new Set<Key>();
  for (const [output] of collected) {
    if (keys.has(output)) throw duplicateOutput(node, output, key, key);
    keys.add(output);
  }
  return collected;
}
