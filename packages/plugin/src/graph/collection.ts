/** The incremental graph as discovery uses it: collections, the read API of transforms, operators. */
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

/** One group: the contributions to one key, in the group's order. */
export type Group<V> = readonly V[];

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

/**
 * The operators by which a plugin derives collections. Nodes are created once, in data-flow order. A transform may read
 * only collections created before its own node.
 */
export interface DiscoveryGraph {
  derive<In, Out>(
    name: string,
    input: Collection<In>,
    transform: Transform<In, Out>,
    options?: DeriveOptions<Out>,
  ): Collection<Out>;
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
   * The union of collections with disjoint keys. If two inputs share a key, GRAPH_E_DUPLICATE quarantines the later
   * one.
   */
  join<V>(name: string, inputs: ReadonlyArray<Collection<V>>): Collection<V>;
  index<V>(collection: Collection<V>, name: string, extract: (value: V, key: Key) => Iterable<Key>): Index<V>;
}
