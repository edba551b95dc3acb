/** match: which items of two collections belong together, found through buckets from whichever side changed. */
import type { ChangeLog } from './change-log.ts';
import type { Explanation, Matching, Search } from './collection.ts';
import type { CollectionStore } from './collection-store.ts';
import { type Key, key as keyOf } from './key.ts';
import { distinctKeys, NO_KEYS } from './key-list.ts';
import { PlacedItems } from './located-items.ts';
import { type ChangesByCollection, type Counters, type GraphNode, newCounters } from './node.ts';
import { PairTable } from './pair-table.ts';
import { atOnce } from './plain-output.ts';
import type { NodeFaults } from './quarantine.ts';
import { NO_ROW } from './rows.ts';

/** Which items stand in which buckets, up to date when the match runs. Items are their rows. */
export interface IndexedValues {
  bucketsOf(item: number): readonly Key[];
  membersOf(bucket: Key): Iterable<number>;
}

/** Makes of the pairs that are found what others read. Items are their rows. */
export interface PairKeeper {
  /** Which pairs there are. */
  readonly pairs: PairTable;
  /** A commit begins. */
  begin(): void;
  /** Adds a pair that is not there. */
  add(left: number, right: number): void;
  /** Takes away one that is. */
  remove(left: number, right: number): void;
  /** The left item of a pair that stays is another. */
  revise(left: number, right: number): void;
  /** What is left to do once all pairs are found, step by step. */
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
  /** Where right items stand, unless `matching` says so itself. */
  readonly index: IndexedValues | undefined;
  readonly keeper: PairKeeper;
  /** Items whose `wants` or `bucketsOf` threw: they keep their last good buckets. */
  readonly leftFaults: NodeFaults;
  readonly rightFaults: NodeFaults;
  /** Candidates for which `matches` threw: they stay paired, or not, as they were. */
  readonly pairFaults: NodeFaults;
}

/** One item may have very many candidates; after so many a pausing commit may pause. */
const LOOKS_PER_STEP = 64;

/**
 * First every changed item of either side takes its place in the buckets, then each candidate pair with a changed side is looked at once.
 * In its counters "recomputed" are the candidate pairs looked at.
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
    // When a graph is filled all lefts are new, and have found all pairs there are.
    if (this.#requestedByOthers()) {
      for (let at = 0; at < rights.length; at++) {
        const right = rights.rows[at] as number;
        if (!this.#isUnwanted(right)) yield* this.#matchRight(right, rights.after[at]);
        yield;
      }
    }
    yield* this.#options.keeper.converge();
  }

  /** Whether there is a left with buckets that has not looked for its pairs in this commit. */
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
        if (candidates.size % LOOKS_PER_STEP === 0) yield;
      }
    }
    const gone = this.#pairs.ofLeft(left).filter((right) => !candidates.has(right));
    for (const [nth, right] of gone.entries()) {
      this.#unpair(left, right);
      if (nth % LOOKS_PER_STEP === LOOKS_PER_STEP - 1) yield;
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
        if (candidates.size % LOOKS_PER_STEP === 0) yield;
      }
    }
    const gone = this.#pairs.ofRight(right).filter((left) => !candidates.has(left));
    for (const [nth, left] of gone.entries()) {
      this.#unpair(left, right);
      if (nth % LOOKS_PER_STEP === LOOKS_PER_STEP - 1) yield;
    }
    for (const left of this.#failing.ofRight(right)) if (!candidates.has(left)) this.#absolve(left, right);
  }

  /** Nobody wants it, and nobody ever did: most of a fleet, for many a match. */
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

/** An item as its node knows it, and as users' functions do. */
interface Item {
  readonly row: number;
  readonly key: Key;
}

function itemAt({ rows, keys }: ChangeLog<unknown>, at: number): Item {
  return { row: rows[at] as number, key: keys[at] as Key };
}

/** Items stand in the bucket of their own key, too, which nothing needs to be kept for. */
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

/** Puts a changed item of one side where it belongs; one that cannot tell stays where it was. */
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
