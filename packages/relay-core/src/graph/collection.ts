/** Public types of the incremental graph: sources, relations, and the changes of a commit. */
import type {
  Collection,
  DiscoveryGraph,
  Group,
  Index,
  Key,
  Matching,
  NodeOptions,
  Read,
  Search,
  Transform,
} from '@meshrelay/plugin';

/** A collection that transactions write. */
export interface Source<V> extends Collection<V> {
  /** Marks the collection as writable by transactions. */
  readonly source: true;
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
export interface Graph extends DiscoveryGraph {
  source<V>(name: string, options?: SourceOptions<V>): Source<V>;
  /**
   * Like `derive`, but not stored: each run that reads the value, and each node with this input, computes it as part of
   * its own run. Use it for values that only the next stage needs. It has no cut-off: such a run depends on everything
   * the value is computed from.
   */
  inline<In, Out>(name: string, input: Collection<In>, transform: Transform<In, Out>): Collection<Out>;
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
