/** match: the pairs of two collections, found through buckets from whichever side changed. */
import type { Explanation, Matching, Pair, Search } from './collection.ts';
import type { CollectionStore } from './collection-store.ts';
import { type Key, key as keyOf } from './key.ts';
import { distinctKeys, NO_KEYS } from './key-list.ts';
import { type ChangesByCollection, type Counters, type GraphNode, newCounters } from './node.ts';
import { PairTable } from './pair-table.ts';
import { PlacedItems } from './placed-items.ts';
import { atOnce } from './plain-output.ts';
import type { NodeFaults } from './quarantine.ts';

/** Which items stand in which buckets, up to date when the match runs. */
export interface Standing {
  bucketsOf(item: Key): readonly Key[];
  membersOf(bucket: Key): Iterable<Key>;
}

export interface MatchOptions<Left, Right, Carried> {
  readonly store: CollectionStore<Pair<Carried>>;
  readonly left: CollectionStore<Left>;
  readonly right: CollectionStore<Right>;
  readonly matching: Search<Left, Right, Carried> | Matching<Left, Right, Carried>;
  /** Where right items stand, unless `matching` says so itself. */
  readonly index: Standing | undefined;
  readonly prepare: (pair: Pair<Carried>) => Pair<Carried>;
  /** Items whose `wants` or `standsIn` threw: they keep their last good buckets. */
  readonly leftFaults: NodeFaults;
  readonly rightFaults: NodeFaults;
  /** Candidates for which `matches` or `carries` threw: they stay paired, or not, as they were. */
  readonly pairFaults: NodeFaults;
}

/** One item may have very many candidates; after so many a pausing commit may pause. */
const LOOKS_PER_STEP = 64;

/**
 * First every changed item of either side takes its place in the buckets, then each candidate pair with a changed side is looked at once.
 * In its counters "recomputed" are the candidate pairs looked at.
 */
export class MatchNode<Left, Right, Carried> implements GraphNode {
  readonly name: string;
  readonly counters: Counters = newCounters();
  readonly #options: MatchOptions<Left, Right, Carried>;
  readonly #wanted: PlacedItems;
  readonly #own: PlacedItems;
  readonly #standing: Standing;
  readonly #pairs: PairTable;
  readonly #failing: PairTable;
  readonly #changedLefts = new Set<Key>();
  #steps: Iterator<unknown> | undefined;

  constructor(options: MatchOptions<Left, Right, Carried>) {
    this.name = options.store.name;
    this.#options = options;
    const [lefts, rights] = [options.left.rows, options.right.rows];
    this.#wanted = new PlacedItems(lefts);
    this.#own = new PlacedItems(rights);
    this.#pairs = new PairTable(lefts, rights);
    this.#failing = new PairTable(lefts, rights);
    this.#standing = options.index === undefined ? this.#own : withOwnKeys(options.index, options.right);
  }

  begin(): boolean {
    const { left, right } = this.#options;
    this.#steps = this.#work();
    return left.changes.length > 0 || right.changes.length > 0;
  }

  step(): boolean {
    return this.#steps?.next().done === false;
  }

  publish(into: ChangesByCollection): void {
    this.#changedLefts.clear();
    this.#steps = undefined;
    const { store } = this.#options;
    if (store.changes.length > 0) into.set(store, store.publish());
  }

  explain(key: Key): Explanation | undefined {
    const { store, left, right } = this.#options;
    const pair = store.get(key);
    if (pair === undefined) return undefined;
    const reads = [
      { collection: left.name, key: pair.left, via: 'get' as const },
      { collection: right.name, key: pair.right, via: 'get' as const },
    ];
    return { node: this.name, key, reads, outputs: [[key, pair]] };
  }

  get sizes(): Readonly<Record<string, number>> {
    const { store, leftFaults, rightFaults, pairFaults } = this.#options;
    return {
      ...store.sizes,
      wanted: this.#wanted.sizes.placed,
      wantedBuckets: this.#wanted.sizes.buckets,
      standing: this.#own.sizes.placed,
      standingBuckets: this.#own.sizes.buckets,
      pairs: this.#pairs.size,
      failing: this.#failing.size,
      faults: leftFaults.size + rightFaults.size + pairFaults.size,
    };
  }

  *#work(): Generator<void, void> {
    const { left, right, matching, leftFaults, rightFaults } = this.#options;
    const [lefts, rights] = [left.changes, right.changes];
    for (let at = 0; at < lefts.length; at++) {
      const [key, after] = [lefts.keys[at] as Key, lefts.after[at]];
      this.#changedLefts.add(key);
      if (after === undefined) remove(this.#wanted, key, leftFaults);
      else place(this.#wanted, key, () => matching.wants(after, key), leftFaults);
      yield;
    }
    if (this.#options.index === undefined && 'standsIn' in matching) {
      for (let at = 0; at < rights.length; at++) {
        const [key, after] = [rights.keys[at] as Key, rights.after[at]];
        if (after === undefined) remove(this.#own, key, rightFaults);
        else place(this.#own, key, () => matching.standsIn(after, key), rightFaults);
        yield;
      }
    }
    for (let at = 0; at < lefts.length; at++) {
      yield* this.#matchLeft(lefts.keys[at] as Key, lefts.after[at]);
      yield;
    }
    // When a graph is filled all lefts are new, and have found all pairs there are.
    if (this.#othersWant()) {
      for (let at = 0; at < rights.length; at++) {
        const key = rights.keys[at] as Key;
        if (!this.#isUnwanted(key)) yield* this.#matchRight(key, rights.after[at]);
        yield;
      }
    }
  }

  /** Whether there is a left with buckets that has not looked for its pairs in this commit. */
  #othersWant(): boolean {
    let looked = 0;
    for (const left of this.#changedLefts) if (this.#wanted.bucketsOf(left).length > 0) looked += 1;
    return this.#wanted.sizes.placed > looked;
  }

  *#matchLeft(left: Key, value: Left | undefined): Generator<void, void> {
    const candidates = new Set<Key>();
    for (const bucket of this.#wanted.bucketsOf(left)) {
      for (const right of this.#standing.membersOf(bucket)) {
        if (candidates.has(right)) continue;
        candidates.add(right);
        this.#look(left, right, value, this.#options.right.now(right));
        if (candidates.size % LOOKS_PER_STEP === 0) yield;
      }
    }
    const gone = [...this.#pairs.ofLeft(left)].filter((right) => !candidates.has(right));
    for (const [nth, right] of gone.entries()) {
      this.#unpair(left, right);
      if (nth % LOOKS_PER_STEP === LOOKS_PER_STEP - 1) yield;
    }
    for (const right of [...this.#failing.ofLeft(left)]) if (!candidates.has(right)) this.#absolve(left, right);
  }

  *#matchRight(right: Key, value: Right | undefined): Generator<void, void> {
    const candidates = new Set<Key>();
    for (const bucket of this.#standing.bucketsOf(right)) {
      for (const left of this.#wanted.membersOf(bucket)) {
        if (candidates.has(left)) continue;
        candidates.add(left);
        if (!this.#changedLefts.has(left)) this.#look(left, right, this.#options.left.now(left), value);
        if (candidates.size % LOOKS_PER_STEP === 0) yield;
      }
    }
    const gone = [...this.#pairs.ofRight(right)].filter((left) => !candidates.has(left));
    for (const [nth, left] of gone.entries()) {
      this.#unpair(left, right);
      if (nth % LOOKS_PER_STEP === LOOKS_PER_STEP - 1) yield;
    }
    for (const left of [...this.#failing.ofRight(right)]) if (!candidates.has(left)) this.#absolve(left, right);
  }

  /** Nobody wants it, and nobody ever did: most of a fleet, for many a match. */
  #isUnwanted(right: Key): boolean {
    if (this.#pairs.hasRight(right) || this.#failing.hasRight(right)) return false;
    for (const bucket of this.#standing.bucketsOf(right)) if (this.#wanted.has(bucket)) return false;
    return true;
  }

  #look(leftKey: Key, rightKey: Key, left: Left | undefined, right: Right | undefined): void {
    if (left === undefined || right === undefined) return;
    this.counters.recomputed += 1;
    const { matching } = this.#options;
    let matches: boolean;
    let carried: Carried | undefined;
    try {
      matches = atOnce(matching.matches(left, right), `matches of ${this.name}`);
      if (matches) carried = atOnce(matching.carries?.(left), `carries of ${this.name}`);
    } catch (error) {
      this.#accuse(leftKey, rightKey, error);
      return;
    }
    this.#absolve(leftKey, rightKey);
    if (matches !== this.#pairs.has(leftKey, rightKey)) {
      if (matches) this.#pair(leftKey, rightKey, carried);
      else this.#unpair(leftKey, rightKey);
    } else if (!matches || !this.#carryOn(leftKey, rightKey, carried)) this.counters.cutOff += 1;
  }

  #pair(left: Key, right: Key, carried: Carried | undefined): void {
    this.#pairs.add(left, right);
    this.#put(keyOf(left, right), undefined, pairOf(left, right, carried));
  }

  /** What a pair that stays has of its left item from now on. @returns whether that is anything else */
  #carryOn(left: Key, right: Key, carried: Carried | undefined): boolean {
    if (this.#options.matching.carries === undefined) return false;
    const pair = keyOf(left, right);
    const before = this.#options.store.now(pair);
    if (before?.carried === carried) return false;
    this.#put(pair, before, pairOf(left, right, carried));
    return true;
  }

  #put(pair: Key, before: Pair<Carried> | undefined, after: Pair<Carried>): void {
    this.#options.store.put(pair, before, this.#options.prepare(after));
    this.counters.changed += 1;
  }

  #unpair(left: Key, right: Key): void {
    const { store } = this.#options;
    const pair = keyOf(left, right);
    this.#pairs.delete(left, right);
    store.put(pair, store.now(pair), undefined);
    this.counters.changed += 1;
  }

  #accuse(left: Key, right: Key, error: unknown): void {
    if (!this.#failing.has(left, right)) this.#failing.add(left, right);
    this.#options.pairFaults.set(keyOf(left, right), error);
  }

  #absolve(left: Key, right: Key): void {
    if (!this.#failing.has(left, right)) return;
    this.#failing.delete(left, right);
    this.#options.pairFaults.clear(keyOf(left, right));
  }
}

function pairOf<Carried>(left: Key, right: Key, carried: Carried | undefined): Pair<Carried> {
  return carried === undefined ? { left, right } : { left, right, carried };
}

/** Items stand in the bucket of their own key, too, which nothing needs to be kept for. */
function withOwnKeys(index: Standing, items: CollectionStore<unknown>): Standing {
  return {
    bucketsOf: (item) => (items.now(item) === undefined ? NO_KEYS : [...index.bucketsOf(item), item]),
    membersOf: (bucket) =>
      items.now(bucket) === undefined ? index.membersOf(bucket) : [bucket, ...index.membersOf(bucket)],
  };
}

/** Puts a changed item of one side where it belongs; one that cannot tell stays where it was. */
function place(registry: PlacedItems, key: Key, bucketsOf: () => Iterable<Key>, faults: NodeFaults): void {
  let buckets: readonly Key[];
  try {
    buckets = distinctKeys(bucketsOf(), 'buckets of a match');
  } catch (error) {
    faults.set(key, error);
    return;
  }
  faults.clear(key);
  registry.place(key, buckets);
}

function remove(registry: PlacedItems, key: Key, faults: NodeFaults): void {
  faults.clear(key);
  registry.place(key, []);
}
