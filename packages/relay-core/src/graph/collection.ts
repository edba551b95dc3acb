/** Public types of the incremental graph: collections, the read API of transforms, and the changes of a commit. */
import type { Key } from './key.ts';

/**
 * A keyed collection of values that only the graph changes. Outside a transform, readers see the last finished commit.
 */
export interface Collection<V> {
  readonly name: string;
  /** The value under a key, as of the last finished commit. Values are frozen data: never mutate one. */
  get(key: Key): V | undefined;
  has(key: Key): boolean;
  /** All entries, in no particular order. Sort by key if order matters. */
  entries(): IterableIterator<readonly [Key, V]>;
  readonly size: number;
}

/** A collection that transactions write. */
export interface Source<V> extends Collection<V> {
  /** Marks the collection as writable by transactions. */
  readonly source: true;
}

/** Lookup of a collection's entries by other keys. An entry may be in any number of buckets. */
export interface Index<V> {
  readonly name: string;
  /** The entries of a bucket as of the last finished commit, ordered by key. */
  entriesOf(bucket: Key): ReadonlyArray<readonly [Key, V]>;
  /** The number of entries of a bucket. */
  countOf(bucket: Key): number;
}

/**
 * What a transform may read besides its own item. The graph records each read, and runs the item again when a read
 * value changes.
 */
export interface Read {
  get<V>(collection: Collection<V>, key: Key): V | undefined;
  has(collection: Collection<unknown>, key: Key): boolean;
  /** The entries of a bucket, ordered by key. */
  by<V>(index: Index<V>, bucket: Key): ReadonlyArray<readonly [Key, V]>;
  /** The first `max` entries of a bucket. For a relation, this does not sort the whole bucket. */
  first<V>(index: Index<V>, bucket: Key, max: number): ReadonlyArray<readonly [Key, V]>;
  /** The number of entries of a bucket. The item runs again only when the number changes. */
  count(index: Index<unknown>, bucket: Key): number;
  /** Whether a bucket has entries. The item runs again only when the first entry is added or the last is removed. */
  any(index: Index<unknown>, bucket: Key): boolean;
}

/**
 * Maps an item to an output with the same key; undefined for no output. Must be pure: no clock, randomness or I/O. Must
 * not retain or change its arguments.
 */
export type Transform<In, Out> = (value: In, read: Read, key: Key) => Out | undefined;

/**
 * Maps an item to any number of outputs with their own keys. Two items must not give the same output key; use a group
 * for that.
 */
export type ManyTransform<In, Out> = (value: In, read: Read, key: Key) => Iterable<readonly [Key, Out]>;

/** How the items of a collection find their pairs in an index. */
export interface Search<Left, Right> {
  /**
   * The buckets to search for a left item. A right item is a candidate if it is in any of them. Choose the most
   * selective bucket that contains every match.
   */
  candidateBuckets(left: Left, key: Key): Iterable<Key>;
  /** Whether a candidate pair matches. Must be pure. */
  matches(left: Left, right: Right): boolean;
}

/** How two collections find their pairs without comparing every item with every other. */
export interface Matching<Left, Right> extends Search<Left, Right> {
  /** The buckets that contain a right item. */
  bucketsOf(right: Right, key: Key): Iterable<Key>;
}

/** A pair found by a match, under `key(leftKey, rightKey)`. */
export interface Pair {
  readonly left: Key;
  readonly right: Key;
}

/** Pairs of related items of two collections. */
export interface Relation<Left> {
  /** Bucket: key of a right item. Entries: its related left items, each with its own key. */
  readonly lefts: Index<Left>;
  /**
   * Bucket: key of a left item. Entries: its related right items, possibly very many. Readers get added and removed
   * keys only, not changed values.
   */
  readonly rights: Index<true>;
}

/** One group: the contributions to one key, in the group's order. */
export type Group<V> = readonly V[];

/** Result of a gather. */
export interface Gathered<Part, Out> {
  readonly made: Collection<Out>;
  /** The input parts, for readers outside the graph. Transforms cannot read them. */
  readonly parts: Collection<Group<Part>>;
}

export interface Change<V> {
  readonly key: Key;
  readonly before: V | undefined;
  readonly after: V | undefined;
}

/** All changes of one commit, by collection. */
export interface ChangeSet {
  of<V>(collection: Collection<V>): ReadonlyArray<Change<V>>;
  readonly size: number;
}

/** Writes to sources. The graph passes a transaction to the callback of a commit. */
export interface Transaction {
  set<V>(source: Source<V>, key: Key, value: V): void;
  delete(source: Source<unknown>, key: Key): void;
  /** Replaces the content of the source with exactly these entries. */
  replaceAll<V>(source: Source<V>, entries: Iterable<readonly [Key, V]>): void;
}

/** A transform that threw. The key keeps its last valid output until one of its inputs changes. */
export interface Quarantine {
  readonly node: string;
  readonly key: Key;
  readonly error: unknown;
}

/** Statistics of one node since the graph was created. */
export interface NodeCounters {
  /** Items whose transform ran. */
  readonly recomputed: number;
  /** Outputs that were set or deleted. */
  readonly changed: number;
  /** Runs whose result equalled the previous one, so the change did not propagate. */
  readonly cutOff: number;
}

/** The reads of one item, found by running its transform again on the last finished commit. */
export interface Explanation {
  readonly node: string;
  /** The item's key in `input`. For groups, matches, joins and sources: the output's own key. */
  readonly key: Key;
  /** The name of the item's collection, if the node has a single input. */
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
 * The incremental graph. Nodes are created once, in data-flow order. A transform may read only collections created
 * before its own node, which rules out cycles; the graph rejects other reads with GRAPH_E_ORDER.
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
   * Like `derive`, but not stored: each run that reads the value, and each node with this input, computes it as part of
   * its own run. Use it for values that only the next stage needs. It has no cut-off: such a run depends on everything
   * the value is computed from.
   */
  inline<In, Out>(name: string, input: Collection<In>, transform: Transform<In, Out>): Collection<Out>;
  deriveMany<In, Out>(
    name: string,
    input: Collection<In>,
    transform: ManyTransform<In, Out>,
    options?: NodeOptions<Out>,
  ): Collection<Out>;
  /** Pairs of left and right items. An update costs as much as its change, from either side. */
  match<Left, Right>(
    name: string,
    left: Collection<Left>,
    right: Collection<Right>,
    matching: Matching<Left, Right>,
  ): Collection<Pair>;
  /**
   * The same, with the right items in the buckets of an index, and in a bucket of their own key. Several matches can
   * share one index, and a left item can name right items by key.
   */
  match<Left, Right>(
    name: string,
    left: Collection<Left>,
    right: Index<Right>,
    search: Search<Left, Right>,
  ): Collection<Pair>;
  /**
   * Finds the same pairs as `match`, without keys and values for them, at a small part of the cost. Use it if pairs are
   * only looked up from an item of either side.
   */
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
  /**
   * Collects contributions of many items per key. `into` returns (group key, contribution). A group is sorted by
   * `compare`, then by item key.
   */
  group<In, Part>(
    name: string,
    input: Collection<In>,
    into: (value: In, key: Key) => Iterable<readonly [Key, Part]>,
    compare?: (a: Part, b: Part) => number,
  ): Collection<Group<Part>>;
  /**
   * Collects parts that items of several collections contribute to shared keys, and makes one value per key. Parts are
   * ordered by input, then by item key, then as their item returned them.
   */
  gather<In, Part, Out>(
    name: string,
    inputs: ReadonlyArray<Collection<In>>,
    gives: (value: In, read: Read, key: Key) => Iterable<readonly [Key, Part]>,
    make: (parts: Group<Part>, read: Read, key: Key) => Out | undefined,
    options?: NodeOptions<Out>,
  ): Gathered<Part, Out>;
  /**
   * The union of collections with disjoint keys. If two inputs share a key, GRAPH_E_DUPLICATE quarantines the later
   * one.
   */
  join<V>(name: string, inputs: ReadonlyArray<Collection<V>>): Collection<V>;
  index<V>(collection: Collection<V>, name: string, extract: (value: V, key: Key) => Iterable<Key>): Index<V>;
  /**
   * Lazy nodes: they compute and store nothing until the first call of `activate`, and are ordinary nodes afterwards.
   * Use it for what few processes need. A graph has one lazy part, created last; adding a node after it fails with
   * GRAPH_E_SEALED.
   */
  lazy<T>(make: () => T): Lazy<T>;

  /** Runs a transaction and updates all nodes. Publishes nothing if the callback throws. */
  commit(write: (transaction: Transaction) => void): ChangeSet;
  /** The same, yielding through `pause` after about every `sliceMs` of work. Later writes wait for their own commit. */
  commitYielding(write: (transaction: Transaction) => void, yieldOptions: YieldOptions): Promise<ChangeSet>;
  /** Calls the listener with the changes of each finished commit. Returns a function that unsubscribes. */
  subscribe(listener: (changes: ChangeSet) => void): () => void;

  /**
   * Compacts what was added since the last call. Call it when idle. Changes nothing except memory use.
   * @param enough polled repeatedly; returns true to stop
   * @returns whether compaction is complete
   */
  compact(enough?: () => boolean): boolean;

  readonly quarantined: Collection<Quarantine>;
  counters(): ReadonlyMap<string, NodeCounters>;
  explain(collection: Collection<unknown>, key: Key): Explanation | undefined;
}

/** Collections that are computed on first use; until then they have no entries. */
export interface Lazy<T> {
  /**
   * Returns the collections. The first call computes them, in a commit that changes nothing else. Throws GRAPH_E_BUSY
   * inside a transform or a transaction.
   */
  activate(): T;
  /** The same, yielding like `commitYielding`. */
  activateYielding(yieldOptions: YieldOptions): Promise<T>;
}

export interface NodeOptions<V> {
  /** Compares two values. Default: deep equality of plain data. */
  readonly equals?: (a: V, b: V) => boolean;
}

export interface DeriveOptions<V> extends NodeOptions<V> {
  /**
   * Rebuilds the new value from equal parts of the previous one. Use it if another collection stores packed forms of
   * these parts, so that equal parts are not stored twice. Default: the new value unchanged.
   */
  readonly reuse?: (before: V, after: V) => V;
}

export interface SourceOptions<V> extends NodeOptions<V> {
  /**
   * Stores older keys as bytes and decodes them on demand. Use it if hardly any value references these keys, because a
   * referenced key would be stored twice. Default: false.
   */
  readonly keysInBytes?: boolean;
}

/** How a long commit yields the thread. */
export interface YieldOptions {
  /** Milliseconds of work between pauses. */
  readonly sliceMs: number;
  readonly now: () => number;
  readonly pause: () => Promise<void>;
}
