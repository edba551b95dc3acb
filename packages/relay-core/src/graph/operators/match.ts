/** match: finds the related items of two collections through buckets, starting from the changed side. */

import { type Key, key as keyOf, type Matching, type Search } from '@meshrelay/plugin';
import type { Explanation } from '../collection.ts';
import { type ChangesByCollection, type Counters, type GraphNode, newCounters } from '../commit/node.ts';
import type { NodeFaults } from '../faults/quarantine.ts';
import { PlacedItems } from '../indexes/located-items.ts';
import { atOnce } from '../plain-output.ts';
import { distinctKeys, NO_KEYS } from '../rows/key-list.ts';
import { PairTable } from '../rows/pair-table.ts';
import { NO_ROW } from '../rows/rows.ts';
import type { ChangeLog } from '../storage/change-log.ts';
import type { CollectionStore } from '../storage/collection-store.ts';

/** Buckets of items, up to date when the match runs. An item is identified by its row. */
export interface IndexedValues {
  bucketsOf(item: number): readonly Key[];
  membersOf(bucket: Key): Iterable<number>;
}

/** Stores the pairs found, in the form that readers use. An item is identified by its row. */
export interface PairKeeper {
  /** The current pairs. */
  readonly pairs: PairTable;
  /** Called when a commit begins. */
  begin(): void;
  /** Adds a new pair. */
  add(left: number, right: number): void;
  /** Removes an existing pair. */
  remove(left: number, right: number): void;
  /** The left value of a remaining pair has changed. */
  revise(left: number, right: number): void;
  /** The work that remains after all pairs are found, step by step. */
  converge(): Iterable<void>;
  publish(into: ChangesByCollection): void;
  explain(key: Key): Explanation | undefined;
  readonly sizes: Readonly<Record<string, number>>;
}

export interface MatchOptions<Left, Right> {
  readonly name: string;
  readonly left: CollectionStore<Left>;
  readonly right: CollectionStore<Right>;
  readonly matching: Search<Left, Right> | Matching<Left, Right>;
  /** Buckets of the right items, unless `matching` defines them. */
  readonly index: IndexedValues | undefined;
  readonly keeper: PairKeeper;
  /** Items whose `candidateBuckets` or `bucketsOf` threw: they keep their last valid buckets. */
  readonly leftFaults: NodeFaults;
  readonly rightFaults: NodeFaults;
  /** Candidates for which `matches` threw: paired or not, they stay unchanged. */
  readonly pairFaults: NodeFaults;
}

/** An item may have very many candidates; a yielding commit may yield after this many. */
const LOOKUPS_PER_STEP = 64;

/**
 * A commit has two phases. First every changed item of either side moves to its buckets. Then each candidate pair with
 * a changed side is checked once. The counter "recomputed" counts these checks.
 */
export class MatchNode<Left, Right> implements GraphNode {
  readonly name: string;
  readonly counters: Counters = newCounters();
  readonly #options: MatchOptions<Left, Right>;
  readonly #required: PlacedItems;
  readonly #own: PlacedItems;
  readonly #members: IndexedValues;
  readonly #pairs: PairTable;
  readonly #failing = new PairTable();
  readonly #changedLefts = new Set<number>();
  #steps: Iterator<unknown> | undefined;

  constructor(options: MatchOptions<Left, Right>) {
    this.name = options.name;
    this.#options = options;
    this.#pairs = options.keeper.pairs;
    this.#required = new PlacedItems(options.left.rows);
    this.#own = new PlacedItems(options.right.rows);
    this.#members = options.index === undefined ? this.#own : withOwnKeys(options.index, options.right);
  }

  begin(): boolean {
    const { left, right, keeper } = this.#options;
    keeper.begin();
    this.#steps = this.#work();
    return left.changes.length > 0 || right.changes.length > 0;
  }

  step(): boolean {
    return this.#steps?.next().done === false;
  }

  publish(into: ChangesByCollection): void {
    this.#changedLefts.clear();
    this.#steps = undefined;
    this.#options.keeper.publish(into);
  }

  explain(key: Key): Explanation | undefined {
    return this.#options.keeper.explain(key);
  }

  get sizes(): Readonly<Record<string, number>> {
    const { keeper, leftFaults, rightFaults, pairFaults } = this.#options;
    return {
      ...keeper.sizes,
      required: this.#required.sizes.placed,
      candidateBuckets: this.#required.sizes.buckets,
      members: this.#own.sizes.placed,
      memberBuckets: this.#own.sizes.buckets,
      pairs: this.#pairs.size,
      failing: this.#failing.size,
      faults: leftFaults.size + rightFaults.size + pairFaults.size,
    };
  }

  *#work(): Generator<void, void> {
    const { left, right, matching, leftFaults, rightFaults } = this.#options;
    const [lefts, rights] = [left.changes, right.changes];
    for (let at = 0; at < lefts.length; at++) {
      const [item, after] = [itemAt(lefts, at), lefts.after[at]];
      this.#changedLefts.add(item.row);
      if (after === undefined) remove(this.#required, item, leftFaults);
      else place(this.#required, item, () => matching.candidateBuckets(after, item.key), leftFaults);
      yield;
    }
    if (this.#options.index === undefined && 'bucketsOf' in matching) {
      for (let at = 0; at < rights.length; at++) {
        const [item, after] = [itemAt(rights, at), rights.after[at]];
        if (after === undefined) remove(this.#own, item, rightFaults);
        else place(this.#own, item, () => matching.bucketsOf(after, item.key), rightFaults);
        yield;
      }
    }
    for (let at = 0; at < lefts.length; at++) {
      yield* this.#matchLeft(lefts.rows[at] as number, lefts.after[at]);
      yield;
    }
    // During the initial fill all left items are new, so they have already found every pair.
    if (this.#requestedByOthers()) {
      for (let at = 0; at < rights.length; at++) {
        const right = rights.rows[at] as number;
        if (!this.#isUnwanted(right)) yield* this.#matchRight(right, rights.after[at]);
        yield;
      }
    }
    yield* this.#options.keeper.converge();
  }

  /** Whether there is a left item with buckets that has not searched for its pairs in this commit. */
  #requestedByOthers(): boolean {
    let looked = 0;
    for (const left of this.#changedLefts) if (this.#required.bucketsOf(left).length > 0) looked += 1;
    return this.#required.sizes.placed > looked;
  }

  *#matchLeft(left: number, value: Left | undefined): Generator<void, void> {
    const candidates = new Set<number>();
    for (const bucket of this.#required.bucketsOf(left)) {
      for (const right of this.#members.membersOf(bucket)) {
        if (candidates.has(right)) continue;
        candidates.add(right);
        const stays = this.#pairs.has(left, right);
        this.#readKey(left, right, value, this.#options.right.at(right));
        if (stays && this.#pairs.has(left, right)) this.#options.keeper.revise(left, right);
        if (candidates.size % LOOKUPS_PER_STEP === 0) yield;
      }
    }
    const gone = this.#pairs.ofLeft(left).filter((right) => !candidates.has(right));
    for (const [nth, right] of gone.entries()) {
      this.#unpair(left, right);
      if (nth % LOOKUPS_PER_STEP === LOOKUPS_PER_STEP - 1) yield;
    }
    for (const right of this.#failing.ofLeft(left)) if (!candidates.has(right)) this.#absolve(left, right);
  }

  *#matchRight(right: number, value: Right | undefined): Generator<void, void> {
    const candidates = new Set<number>();
    for (const bucket of this.#members.bucketsOf(right)) {
      for (const left of this.#required.membersOf(bucket)) {
        if (candidates.has(left)) continue;
        candidates.add(left);
        if (!this.#changedLefts.has(left)) this.#readKey(left, right, this.#options.left.at(left), value);
        if (candidates.size % LOOKUPS_PER_STEP === 0) yield;
      }
    }
    const gone = this.#pairs.ofRight(right).filter((left) => !candidates.has(left));
    for (const [nth, left] of gone.entries()) {
      this.#unpair(left, right);
      if (nth % LOOKUPS_PER_STEP === LOOKUPS_PER_STEP - 1) yield;
    }
    for (const left of this.#failing.ofRight(right)) if (!candidates.has(left)) this.#absolve(left, right);
  }

  /** Whether no left item searches for this right item, now or before. In many matches this is most of a fleet. */
  #isUnwanted(right: number): boolean {
    if (this.#pairs.hasRight(right) || this.#failing.hasRight(right)) return false;
    for (const bucket of this.#members.bucketsOf(right)) if (this.#required.has(bucket)) return false;
    return true;
  }

  #readKey(left: number, right: number, leftValue: Left | undefined, rightValue: Right | undefined): void {
    if (leftValue === undefined || rightValue === undefined) return;
    this.counters.recomputed += 1;
    const { matching } = this.#options;
    let matches: boolean;
    try {
      matches = atOnce(matching.matches(leftValue, rightValue), `matches of ${this.name}`);
    } catch (error) {
      this.#accuse(left, right, error);
      return;
    }
    this.#absolve(left, right);
    if (matches === this.#pairs.has(left, right)) this.counters.cutOff += 1;
    else if (matches) this.#pair(left, right);
    else this.#unpair(left, right);
  }

  #pair(left: number, right: number): void {
    this.#options.keeper.add(left, right);
    this.counters.changed += 1;
  }

  #unpair(left: number, right: number): void {
    this.#options.keeper.remove(left, right);
    this.counters.changed += 1;
  }

  #accuse(left: number, right: number, error: unknown): void {
    if (!this.#failing.has(left, right)) this.#failing.add(left, right);
    this.#options.pairFaults.set(this.#keyOf(left, right), error);
  }

  #absolve(left: number, right: number): void {
    if (!this.#failing.has(left, right)) return;
    this.#failing.delete(left, right);
    this.#options.pairFaults.clear(this.#keyOf(left, right));
  }

  #keyOf(left: number, right: number): Key {
    return keyOf(this.#options.left.rows.key(left), this.#options.right.rows.key(right));
  }
}

/** An item: its row for the node, its key for user functions. */
interface Item {
  readonly row: number;
  readonly key: Key;
}

function itemAt({ rows, keys }: ChangeLog<unknown>, at: number): Item {
  return { row: rows[at] as number, key: keys[at] as Key };
}

/** Adds a bucket for each item's own key, without storing anything for it. */
function withOwnKeys(index: IndexedValues, items: CollectionStore<unknown>): IndexedValues {
  return {
    bucketsOf: (item) => (items.at(item) === undefined ? NO_KEYS : [...index.bucketsOf(item), items.rows.key(item)]),
    membersOf: (bucket) => {
      const own = items.rows.of(bucket);
      const isThere = own !== NO_ROW && items.at(own) !== undefined;
      return isThere ? [own, ...index.membersOf(bucket)] : index.membersOf(bucket);
    },
  };
}

/**
 * Moves a changed item of one side to its buckets. If the function for its buckets throws, the item stays where it was.
 */
function place(registry: PlacedItems, { row, key }: Item, bucketsOf: () => Iterable<Key>, faults: NodeFaults): void {
  let buckets: readonly Key[];
  try {
    buckets = distinctKeys(bucketsOf(), 'buckets of a match');
  } catch (error) {
    faults.set(key, error);
    return;
  }
  faults.clear(key);
  registry.place(row, buckets);
}

function remove(registry: PlacedItems, { row, key }: Item, faults: NodeFaults): void {
  faults.clear(key);
  registry.place(row, []);
}
