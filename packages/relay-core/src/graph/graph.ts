/** The incremental graph: nodes in order of creation, commits through them, quarantine, counters, explain. */

import type {
  Collection,
  DeriveOptions,
  Group,
  Index,
  Key,
  ManyTransform,
  Matching,
  NodeOptions,
  Pair,
  Read,
  Search,
  Transform,
} from '@meshrelay/plugin';
import type {
  ChangeSet,
  Explanation,
  Gathered,
  Graph,
  Lazy,
  NodeCounters,
  Quarantine,
  Relation,
  Source,
  SourceOptions,
  Transaction,
  YieldOptions,
} from './collection.ts';
import { CommitChanges } from './commit/change-set.ts';
import { CommitPass } from './commit/commit-pass.ts';
import { CommitQueue, type CommitRun } from './commit/commit-queue.ts';
import { Listeners } from './commit/listeners.ts';
import type { ChangesByCollection, GraphNode } from './commit/node.ts';
import { collectWrites } from './commit/transaction.ts';
import { deepEqual } from './deep-equal.ts';
import { ReadEdges } from './edges/read-edges.ts';
import { GraphError } from './errors.ts';
import { deepFreeze } from './faults/deep-freeze.ts';
import { QuarantineBoard } from './faults/quarantine.ts';
import { KeyedIndex } from './indexes/keyed-index.ts';
import { DeriveNode } from './operators/derive.ts';
import { DeriveManyNode } from './operators/derive-many.ts';
import { GatherNode } from './operators/gather.ts';
import { GroupNode } from './operators/group.ts';
import { JoinNode } from './operators/join.ts';
import { type LazyNodes, LazyPart } from './operators/lazy.ts';
import { MatchNode, type MatchOptions } from './operators/match.ts';
import { PairCollection } from './operators/pair-collection.ts';
import { RelationPairs } from './operators/relation.ts';
import { SourceNode } from './operators/source.ts';
import { baseOf, Inline, inlined, type Runnable } from './reads/inline.ts';
import { keyedIndexOf, laterCollection, ReadRecorder, runnableOf, storeOf } from './reads/read-recorder.ts';
import { newTracing } from './reads/tracing.ts';
import { KeyBytes } from './rows/key-bytes.ts';
import { KeyDictionary } from './rows/key-dictionary.ts';
import { Rows } from './rows/rows.ts';
import { CollectionStore, type StoreOptions } from './storage/collection-store.ts';

export interface GraphOptions {
  /**
   * Deep-freezes every value, so that a transform that changes its arguments fails. For tests only, because it is slow.
   */
  readonly freeze?: boolean;
}

/** Creates an empty graph. Create all nodes before the first commit. */
export function createGraph(options: GraphOptions = {}): Graph {
  return new IncrementalGraph(options);
}

/** Exported for the tests of this folder; other code uses {@link createGraph}. */
export class IncrementalGraph implements Graph {
  readonly #edges = new ReadEdges();
  readonly #recorder = new ReadRecorder(this.#edges);
  readonly #board = new QuarantineBoard(this.#edges);
  readonly #listeners = new Listeners();
  readonly #queue = new CommitQueue();
  readonly #nodes: GraphNode[] = [];
  /** Nodes that commits run: all except inactive lazy nodes. */
  readonly #activate: GraphNode[] = [];
  #lazyNodes: LazyNodes | undefined;
  readonly #names = new Set<string>();
  readonly #rows = new Set<Rows>();
  readonly #words = new KeyDictionary();
  readonly #sources = new Map<unknown, SourceNode<unknown>>();
  readonly #makers = new Map<unknown, GraphNode>();
  readonly #prepare: <T>(value: T) => T;
  /** True once no further node may be added. */
  #complete = false;
  #committed = false;

  constructor(options: GraphOptions) {
    this.#prepare = options.freeze ? deepFreeze : (value) => value;
  }

  get quarantined(): Collection<Quarantine> {
    return this.#board.store;
  }

  source<V>(name: string, options: SourceOptions<V> = {}): Source<V> {
    if (this.#lazyNodes !== undefined)
      throw new GraphError('GRAPH_E_ORDER', `${name} is made in the dormant part: make sources before it`);
    const keys = options.keysInBytes === true ? { keys: this.#keyBytes() } : {};
    const store = this.#newStore<V>(name, { source: true, ...keys });
    const node = new SourceNode({
      store,
      equals: options.equals ?? deepEqual,
      prepare: this.#prepare,
      faults: this.#board.faultsOf(name),
    });
    this.#sources.set(store, node as SourceNode<unknown>);
    this.#add(node, store);
    return store as CollectionStore<V> & Source<V>;
  }

  derive<In, Out>(
    name: string,
    input: Collection<In>,
    transform: Transform<In, Out>,
    options: DeriveOptions<Out> = {},
  ): Collection<Out> {
    const from = this.#runnable(input);
    const base = baseOf(from);
    const store = this.#newStore<Out>(name, { rows: base.rows });
    const run = inlined(from, transform, undefined);
    const node = new DeriveNode<unknown, Out>({
      ...this.#deriving(store, options),
      reuse: options.reuse,
      input: base,
      transform: run,
    });
    return this.#add(node, store);
  }

  inline<In, Out>(name: string, input: Collection<In>, transform: Transform<In, Out>): Collection<Out> {
    this.#claimName(name);
    const node = Inline.of<In, Out>({
      name,
      rank: this.#nodes.length,
      input: this.#runnable(input),
      transform,
      prepare: this.#prepare,
      trace: (reader) => newTracing(this.#edges, reader),
    });
    this.#addNode(node);
    this.#makers.set(node, node);
    return node;
  }

  deriveMany<In, Out>(
    name: string,
    input: Collection<In>,
    transform: ManyTransform<In, Out>,
    options: NodeOptions<Out> = {},
  ): Collection<Out> {
    const from = this.#runnable(input);
    const store = this.#newStore<Out>(name);
    const duplicates = this.#board.faultsOf(name, 'duplicate');
    const run = inlined<In, Iterable<readonly [Key, Out]>>(from, transform, []);
    const deriving = { ...this.#deriving(store, options), input: baseOf(from), transform: run, duplicates };
    return this.#add(new DeriveManyNode<unknown, Out>(deriving), store);
  }

  match<Left, Right>(
    name: string,
    left: Collection<Left>,
    right: Collection<Right> | Index<Right>,
    matching: Search<Left, Right> | Matching<Left, Right>,
  ): Collection<Pair> {
    const found = this.#findingPairs(name, left, right, matching);
    const store = this.#newStore<Pair>(name, { keys: this.#keyBytes() });
    const keeper = new PairCollection({ store, left: found.left, right: found.right, prepare: this.#prepare });
    return this.#add(new MatchNode({ ...found, keeper }), store);
  }

  relate<Left, Right>(
    name: string,
    left: Collection<Left>,
    right: Collection<Right> | Index<Right>,
    matching: Search<Left, Right> | Matching<Left, Right>,
  ): Relation<Left> {
    const found = this.#findingPairs(name, left, right, matching);
    this.#claimName(name);
    const keeper = new RelationPairs({
      name,
      rank: this.#nodes.length,
      edges: this.#edges,
      left: found.left,
      right: found.right,
      prepare: this.#prepare,
    });
    this.#addNode(new MatchNode({ ...found, keeper }));
    return { lefts: keeper.lefts, rights: keeper.rights };
  }

  group<In, Part>(
    name: string,
    input: Collection<In>,
    into: (value: In, key: Key) => Iterable<readonly [Key, Part]>,
    compare?: (a: Part, b: Part) => number,
  ): Collection<Group<Part>> {
    const from = this.#inputOf(input);
    const store = this.#newStore<Group<Part>>(name);
    const node = new GroupNode({
      store,
      input: from,
      into,
      compare,
      prepare: this.#prepare,
      faults: this.#board.faultsOf(name),
      unsorted: this.#board.faultsOf(name, 'group'),
    });
    return this.#add(node, store);
  }

  gather<In, Part, Out>(
    name: string,
    inputs: ReadonlyArray<Collection<In>>,
    gives: (value: In, read: Read, key: Key) => Iterable<readonly [Key, Part]>,
    make: (parts: Group<Part>, read: Read, key: Key) => Out | undefined,
    options: NodeOptions<Out> = {},
  ): Gathered<Part, Out> {
    const store = this.#newStore<Out>(name, { rows: new Rows(this.#keyBytes()) });
    const { faults: making, ...deriving } = this.#deriving(store, options);
    const sides = inputs.map((input, nth) => {
      const from = this.#runnable(input);
      const faults = this.#board.faultsOf(name, `input ${nth}`);
      return { input: baseOf(from), gives: inlined<In, Iterable<readonly [Key, Part]>>(from, gives, []), faults };
    });
    const node = new GatherNode<Part, Out>({ ...deriving, sides, make, making });
    return { made: this.#add(node, store), parts: node.parts };
  }

  join<V>(name: string, inputs: ReadonlyArray<Collection<V>>): Collection<V> {
    const from = inputs.map((input) => this.#inputOf(input));
    const store = this.#newStore<V>(name);
    return this.#add(new JoinNode({ store, inputs: from, faults: this.#board.faultsOf(name) }), store);
  }

  index<V>(collection: Collection<V>, name: string, extract: (value: V, key: Key) => Iterable<Key>): Index<V> {
    const input = this.#inputOf(collection);
    this.#claimName(name);
    const faults = this.#board.faultsOf(name);
    const node = new KeyedIndex({ name, rank: this.#nodes.length, input, extract, prepare: this.#prepare, faults });
    this.#addNode(node as KeyedIndex<unknown>);
    return node;
  }

  lazy<T>(make: () => T): Lazy<T> {
    this.#refuseMore('a dormant part');
    this.#lazyNodes = { nodes: [], inputs: new Set() };
    const made = make();
    this.#complete = true;
    return new LazyPart(made, {
      now: () => {
        if (this.#isInactive()) this.#queue.commit(() => this.#startWaking());
      },
      yielding: async (yieldOptions) => {
        if (this.#isInactive()) await this.#queue.commitYielding(() => this.#startWaking(), yieldOptions);
      },
    });
  }

  commit(write: (transaction: Transaction) => void): ChangeSet {
    return this.#queue.commit(() => this.#start(write));
  }

  commitYielding(write: (transaction: Transaction) => void, yieldOptions: YieldOptions): Promise<ChangeSet> {
    return this.#queue.commitYielding(() => this.#start(write), yieldOptions);
  }

  subscribe(listener: (changes: ChangeSet) => void): () => void {
    return this.#listeners.add(listener);
  }

  counters(): ReadonlyMap<string, NodeCounters> {
    return new Map(this.#nodes.map((node) => [node.name, { ...node.counters }]));
  }

  explain(collection: Collection<unknown>, key: Key): Explanation | undefined {
    return this.#makers
      .get(runnableOf(collection, this.#edges))
      ?.explain(key, (reader) => newTracing(this.#edges, reader));
  }

  /**
   * The number of entries in each structure of each node, and of read edges. All are zero after everything is deleted.
   */
  sizes(): ReadonlyMap<string, Readonly<Record<string, number>>> {
    const sizes = new Map(this.#nodes.map((node) => [node.name, node.sizes]));
    return sizes.set('read edges', this.#edges.sizes).set('quarantined', this.#board.store.sizes);
  }

  compact(enough?: () => boolean): boolean {
    for (const rows of this.#rows) if (!rows.converge(enough)) return false;
    for (const node of this.#nodes) node.rest?.();
    return true;
  }

  #start(write: (transaction: Transaction) => void): CommitRun {
    this.#complete = true;
    this.#committed = true;
    const writes = collectWrites(write, (source) => this.#sourceOf(source));
    for (const [store, staged] of writes) this.#sources.get(store)?.stage(staged);
    const wave = new CommitPass(this.#activate);
    return { work: (enough) => wave.run(enough), publish: () => this.#publish(wave) };
  }

  /** Before the first commit there is nothing to compute: lazy nodes activated then join the first commit. */
  #isInactive(): boolean {
    if (this.#lazyNodes !== undefined && !this.#committed) this.#wakeUp(this.#lazyNodes);
    return this.#lazyNodes !== undefined;
  }

  /** A commit that runs only the lazy nodes. Two activations may be requested before the first is done. */
  #startWaking(): CommitRun {
    const lazyNodes = this.#lazyNodes ?? { nodes: [], inputs: new Set() };
    for (const input of lazyNodes.inputs) input.showAsNew();
    const wave = new CommitPass(lazyNodes.nodes);
    const publish = (): ChangeSet => {
      for (const input of lazyNodes.inputs) input.showAsKnown();
      this.#wakeUp(lazyNodes);
      return this.#publish(wave);
    };
    return { work: (enough) => wave.run(enough), publish };
  }

  #wakeUp({ nodes }: LazyNodes): void {
    this.#lazyNodes = undefined;
    for (const node of nodes) this.#activate.push(node);
  }

  #publish(wave: CommitPass): ChangeSet {
    const published: ChangesByCollection = new Map();
    for (const node of wave.reached) node.publish(published);
    this.#board.publish(published);
    const changes = new CommitChanges(published);
    this.#listeners.notify(changes);
    return changes;
  }

  #addNode(node: GraphNode): void {
    this.#nodes.push(node);
    (this.#lazyNodes?.nodes ?? this.#activate).push(node);
  }

  #add<V>(node: GraphNode, store: CollectionStore<V>): CollectionStore<V> {
    this.#addNode(node);
    this.#makers.set(store, node);
    return store;
  }

  #newStore<V>(name: string, options: Pick<StoreOptions, 'source' | 'rows' | 'keys'> = {}): CollectionStore<V> {
    this.#claimName(name);
    const store = new CollectionStore<V>({ name, rank: this.#nodes.length, edges: this.#edges, ...options });
    this.#rows.add(store.rows);
    return store;
  }

  /** Options for finding pairs, without those for storing them. */
  #findingPairs<Left, Right>(
    name: string,
    left: Collection<Left>,
    right: Collection<Right> | Index<Right>,
    matching: Search<Left, Right> | Matching<Left, Right>,
  ): Omit<MatchOptions<Left, Right>, 'keeper'> {
    const index = 'countOf' in right ? keyedIndexOf(right, this.#edges) : undefined;
    return {
      name,
      left: this.#inputOf(left),
      right: this.#inputOf(index?.input ?? (right as Collection<Right>)),
      matching,
      index,
      leftFaults: this.#board.faultsOf(name, 'left'),
      rightFaults: this.#board.faultsOf(name, 'right'),
      pairFaults: this.#board.faultsOf(name, 'pair'),
    };
  }

  /** For keys that no value references. */
  #keyBytes(): KeyBytes {
    return new KeyBytes(this.#words);
  }

  #deriving<V>(store: CollectionStore<V>, options: NodeOptions<V>) {
    return {
      store,
      equals: options.equals ?? deepEqual,
      prepare: this.#prepare,
      recorder: this.#recorder,
      faults: this.#board.faultsOf(store.name),
    };
  }

  #claimName(name: string): void {
    this.#refuseMore(name);
    if (this.#names.has(name)) {
      throw new GraphError('GRAPH_E_NAME', `two nodes are named ${name}: give each node and index its own name`);
    }
    this.#names.add(name);
  }

  #refuseMore(name: string): void {
    if (!this.#complete) return;
    const message = `${name} is made after the first commit, or after the dormant part: make all nodes first, and put what comes and goes into keys`;
    throw new GraphError('GRAPH_E_SEALED', message);
  }

  #storeOf<V>(collection: Collection<V>): CollectionStore<V> {
    return storeOf(collection, this.#edges);
  }

  /** A valid input of a node: any collection except the quarantine, which ranks after every node. */
  #inputOf<V>(collection: Collection<V>): CollectionStore<V> {
    const store = this.#storeOf(collection);
    if (store.rank >= this.#nodes.length) throw laterCollection('a node', store.name);
    this.#noteInput(store);
    return store;
  }

  /** Records an input of the lazy nodes; it has values before they are activated. */
  #noteInput<V>(store: CollectionStore<V>): void {
    const lazyNodes = this.#lazyNodes;
    if (lazyNodes === undefined) return;
    const maker = this.#makers.get(store);
    if (maker !== undefined && !lazyNodes.nodes.includes(maker))
      lazyNodes.inputs.add(store as CollectionStore<unknown>);
  }

  /** An input of the runs of a node. */
  #runnable<V>(collection: Collection<V>): Runnable<V> {
    if (!(collection instanceof Inline)) return this.#inputOf(collection);
    const runnable = runnableOf(collection, this.#edges);
    this.#noteInput(baseOf(runnable));
    return runnable;
  }

  #sourceOf<V>(source: Source<V>): CollectionStore<V> {
    const store = this.#storeOf(source);
    if (this.#sources.has(store)) return store;
    throw new GraphError(
      'GRAPH_E_WRITE',
      `${store.name} is computed, not a source: write to the sources it comes from`,
    );
  }
}
