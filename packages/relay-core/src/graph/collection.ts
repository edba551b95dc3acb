/** The vocabulary of the incremental graph: collections, what transforms may read, what a commit changed. */
import type { Key } from './key.ts';

/** A keyed collection of values that only the graph changes. What it shows outside a transform is the last finished commit. */
export interface Collection<V> {
  readonly name: string;
  /** The value under a key, as of the last finished commit. Values are frozen data: never mutate one. */
  get(key: Key): V | undefined;
  has(key: Key): boolean;
  /** All entries, in no particular order; sort by key where order matters. */
  entries(): IterableIterator<readonly [Key, V]>;
  readonly size: number;
}

/** A collection that a transaction fills from outside. */
export interface Source<V> extends Collection<V> {
  /** Marks the collection as one that transactions write. */
  readonly source: true;
}

/** A lookup of a collection's entries by other keys than their own. An entry may stand in any number of buckets. */
export interface Index<V> {
  readonly name: string;
  /** The entries of a bucket as of the last finished commit, ordered by key. */
  entriesOf(bucket: Key): ReadonlyArray<readonly [Key, V]>;
  /** How many entries a bucket has. */
  countOf(bucket: Key): number;
}

/** What a transform may look at besides its own item. Each look is recorded: the item is recomputed when what it saw changes. */
export interface Read {
  get<V>(collection: Collection<V>, key: Key): V | undefined;
  has(collection: Collection<unknown>, key: Key): boolean;
  /** The entries of a bucket, ordered by key. */
  by<V>(index: Index<V>, bucket: Key): ReadonlyArray<readonly [Key, V]>;
  /** The first so many of them: of a relation, without putting all in order. */
  first<V>(index: Index<V>, bucket: Key, max: number): ReadonlyArray<readonly [Key, V]>;
  /** The number of entries of a bucket; recomputes only when the number changes. */
  count(index: Index<unknown>, bucket: Key): number;
  /** Whether a bucket has entries; recomputes only when its first one comes or its last one goes. */
  any(index: Index<unknown>, bucket: Key): boolean;
}

/** Same key out as in; undefined for no output. Pure: no clock, randomness or I/O; must not keep or change what it is given. */
export type Transform<In, Out> = (value: In, read: Read, key: Key) => Out | undefined;

/** Any number of outputs under keys of their own. Two inputs must not give the same output key (use a group for that). */
export type ManyTransform<In, Out> = (value: In, read: Read, key: Key) => Iterable<readonly [Key, Out]>;

/** How the items of a collection find those of an index they pair with. */
export interface Search<Left, Right> {
  /**
   * The buckets a left item wants to search: a right item is a candidate when it stands in ANY of them.
   * Choose the most selective bucket that every match must stand in.
   */
  candidateBuckets(left: Left, key: Key): Iterable<Key>;
  /** Whether a candidate pair really matches. Pure. */
  matches(left: Left, right: Right): boolean;
}

/** How two collections find their pairs without comparing everything with everything. */
export interface Matching<Left, Right> extends Search<Left, Right> {
  /** The buckets a right item stands in. */
  bucketsOf(right: Right, key: Key): Iterable<Key>;
}

/** A pair found by a match, under `key(leftKey, rightKey)`. */
export interface Pair {
  readonly left: Key;
  readonly right: Key;
}

/** Which items of two collections belong together. */
export interface Relation<Left> {
  /** Under the key of a right item: the left items that belong to it, each under its key. */
  readonly lefts: Index<Left>;
  /** Under the key of a left item: those that belong to it of the right, of which there may be very many. They come and go here, and change nothing but that. */
  readonly rights: Index<true>;
}

/** One group: the contributions to one key, in the group's order. */
export type Group<V> = readonly V[];

/** What a gather gives. */
export interface Gathered<Part, Out> {
  readonly made: Collection<Out>;
  /** What it was made of, for readers outside the graph: no transform can read it. */
  readonly parts: Collection<Group<Part>>;
}

export interface Change<V> {
  readonly key: Key;
  readonly before: V | undefined;
  readonly after: V | undefined;
}

/** Everything one commit changed, by collection. Empty where nothing changed. */
export interface ChangeSet {
  of<V>(collection: Collection<V>): ReadonlyArray<Change<V>>;
  readonly size: number;
}

/** Writes to sources. The graph hands one to the callback of a commit. */
export interface Transaction {
  set<V>(source: Source<V>, key: Key, value: V): void;
  delete(source: Source<unknown>, key: Key): void;
  /** The source holds exactly these entries afterwards. */
  replaceAll<V>(source: Source<V>, entries: Iterable<readonly [Key, V]>): void;
}

/** A transform that threw: the key keeps its last good output until one of its inputs changes. */
export interface Quarantine {
  readonly node: string;
  readonly key: Key;
  readonly error: unknown;
}

/** What one node has done since the graph was made. */
export interface NodeCounters {
  /** Items whose transform ran. */
  readonly recomputed: number;
  /** Outputs that became different (set or deleted). */
  readonly changed: number;
  /** Runs whose result was equal to the one before, so that the wave stopped there. */
  readonly cutOff: number;
}

/** What one item looked at, found by running its transform again on the last finished commit. */
export interface Explanation {
  readonly node: string;
  /** The item's key in `input`. For groups, matches, joins and sources: the output's own key. */
  readonly key: Key;
  /** The name of the collection the item is from, where the node has a single one. */
  readonly input?: string;
  readonly reads: ReadonlyArray<{
    readonly collection: string;
    readonly key: Key;
    readonly via: 'get' | 'has' | 'by' | 'count' | 'any';
  }>;
  readonly outputs: ReadonlyArray<readonly [Key, unknown]>;
  readonly error?: unknown;
}

/**
 * The incremental graph. Nodes are made once, in data-flow order: a transform may read only collections made before its own
 * (so there can be no cycle; a later one is refused with GRAPH_E_ORDER).
 */
export interface Graph {
  source<V>(name: string, options?: SourceOptions<V>): Source<V>;
  derive<In, Out>(
    name: string,
    input: Collection<In>,
    transform: Transform<In, Out>,
    options?: DeriveOptions<Out>,
  ): Collection<Out>;
  /**
   * What `derive` would give, but kept by nobody: each run that looks at it, and each node made of it, makes it again as a part of its own run.
   * For values that only the next stage needs. There is no cut-off: such a run looks at all that the value is made of.
   */
  inline<In, Out>(name: string, input: Collection<In>, transform: Transform<In, Out>): Collection<Out>;
  deriveMany<In, Out>(
    name: string,
    input: Collection<In>,
    transform: ManyTransform<In, Out>,
    options?: NodeOptions<Out>,
  ): Collection<Out>;
  /** Pairs of left and right items, kept up by the size of each change from either side. */
  match<Left, Right>(
    name: string,
    left: Collection<Left>,
    right: Collection<Right>,
    matching: Matching<Left, Right>,
  ): Collection<Pair>;
  /**
   * The same, where the right items stand in the buckets of an index, and each in the bucket of its own key besides: several matches then share one index, and a
   * left that names its rights finds them by their keys.
   */
  match<Left, Right>(
    name: string,
    left: Collection<Left>,
    right: Index<Right>,
    search: Search<Left, Right>,
  ): Collection<Pair>;
  /** What `match` finds, without values and keys of pairs: a small part of its cost, for what is only looked up from an item of either side. */
  relate<Left, Right>(
    name: string,
    left: Collection<Left>,
    right: Collection<Right>,
    matching: Matching<Left, Right>,
  ): Relation<Left>;
  relate<Left, Right>(
    name: string,
    left: Collection<Left>,
    right: Index<Right>,
    search: Search<Left, Right>,
  ): Relation<Left>;
  /** Contributions from many items to one key: `into` gives (group key, contribution); a group is sorted by `compare`, then by item key. */
  group<In, Part>(
    name: string,
    input: Collection<In>,
    into: (value: In, key: Key) => Iterable<readonly [Key, Part]>,
    compare?: (a: Part, b: Part) => number,
  ): Collection<Group<Part>>;
  /**
   * Parts that items of several collections give to keys where they may meet, and what is made of the parts of each key: they come in the
   * order of the inputs, then by item key, then as their item gave them.
   */
  gather<In, Part, Out>(
    name: string,
    inputs: ReadonlyArray<Collection<In>>,
    gives: (value: In, read: Read, key: Key) => Iterable<readonly [Key, Part]>,
    make: (parts: Group<Part>, read: Read, key: Key) => Out | undefined,
    options?: NodeOptions<Out>,
  ): Gathered<Part, Out>;
  /** The union of collections whose keys never meet (GRAPH_E_DUPLICATE quarantines the later one where they do). */
  join<V>(name: string, inputs: ReadonlyArray<Collection<V>>): Collection<V>;
  index<V>(collection: Collection<V>, name: string, extract: (value: V, key: Key) => Iterable<Key>): Index<V>;
  /**
   * Nodes that do nothing and keep nothing until somebody asks for what they give; from then on they are nodes like any others. For what
   * few processes need. A graph has one such part, made last: no node can be made after it (GRAPH_E_SEALED).
   */
  lazy<T>(make: () => T): Lazy<T>;

  /** Runs a transaction and brings everything up to date. Nothing is published if the callback throws. */
  commit(write: (transaction: Transaction) => void): ChangeSet;
  /** The same, pausing through `pause` about every `sliceMs` of work; further writes wait for their own commit. */
  commitYielding(write: (transaction: Transaction) => void, yieldOptions: YieldOptions): Promise<ChangeSet>;
  /** Called with each finished commit's changes; returns the way to stop. */
  subscribe(listener: (changes: ChangeSet) => void): () => void;

  /**
   * Keeps what has come since the last time in less room; to be called while nothing else is to be done. Changes nothing but memory.
   * @param enough asked time and again whether to stop
   * @returns whether all is done
   */
  compact(enough?: () => boolean): boolean;

  readonly quarantined: Collection<Quarantine>;
  counters(): ReadonlyMap<string, NodeCounters>;
  explain(collection: Collection<unknown>, key: Key): Explanation | undefined;
}

/** Collections that are computed once somebody asks. Until then they are empty. */
export interface Lazy<T> {
  /** The collections; the first call computes them, in a commit that changes nothing else. Throws GRAPH_E_BUSY inside a transform or a transaction. */
  activate(): T;
  /** The same, pausing as `commitYielding` does. */
  activateYielding(yieldOptions: YieldOptions): Promise<T>;
}

export interface NodeOptions<V> {
  /** When two values count as the same. Default: deep equality of plain data. */
  readonly equals?: (a: V, b: V) => boolean;
}

export interface DeriveOptions<V> extends NodeOptions<V> {
  /**
   * Gives a new value again, equal to what it is given, with the very parts of the value before in it that are equal: where others keep these parts, too, as what
   * has been put away of them, equal ones would be kept twice. Default: the new value as it is.
   */
  readonly reuse?: (before: V, after: V) => V;
}

export interface SourceOptions<V> extends NodeOptions<V> {
  /**
   * That hardly any value anywhere holds one of its keys: those that are no longer new are then kept as bytes, and made again when asked for. Keys that values hold would be
   * kept twice. Default: false.
   */
  readonly keysInBytes?: boolean;
}

/** How a long commit shares the thread. */
export interface YieldOptions {
  /** Milliseconds of work between pauses. */
  readonly sliceMs: number;
  readonly now: () => number;
  readonly pause: () => Promise<void>;
}
