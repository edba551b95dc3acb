/** Attributes every byte of the heap to a node of the graph and a kind of thing. */
import type { HeapGraph } from './heap-graph.ts';

/** The bytes of one owner. */
export interface Holding {
  /** A node of the graph, or the name in {@link PROGRAM} or {@link SHARED}. */
  readonly owner: string;
  readonly bytes: number;
  readonly objects: number;
  /** Bytes by kind: the constructor of an object, `string`, `array` (a hash table or the elements of an Array), … */
  readonly kinds: Readonly<Record<string, number>>;
}

/** The owner of everything that no node holds. */
export const PROGRAM = 'the program';

/** Classes of the graph's structures: one that has a `name` belongs to the node of that name. */
const NODES: ReadonlySet<string> = new Set([
  'CollectionStore',
  'SourceNode',
  'DeriveNode',
  'DeriveManyNode',
  'GatherNode',
  'GroupNode',
  'MatchNode',
  'JoinNode',
  'KeyedIndex',
]);

/** Structures that serve all nodes. */
const SHARED: ReadonlyMap<string, string> = new Map([
  ['ReadEdges', 'read edges'],
  ['QuarantineBoard', 'quarantine'],
]);

/** Types that belong to the program, whichever object holds them. */
const CODE: ReadonlySet<string> = new Set(['closure', 'code', 'native', 'object shape']);

/**
 * Every object has one owner: the first in data-flow order that holds it, so a value that many nodes pass on belongs to
 * the node that created it.
 * @param order the names of all nodes in the order of creation
 */
export function contentByNode(heap: HeapGraph, order: Iterable<string>): readonly Holding[] {
  const structures = structuresOf(heap);
  const claimed = new Uint8Array(heap.size);
  for (const nodes of structures.values()) for (const node of nodes) claimed[node] = 1;
  const owners = [...order, ...SHARED.values()].filter((owner) => structures.has(owner));
  const objectCounts = owners.map((owner) => holding(heap, owner, structures.get(owner) ?? [], claimed));
  return [...objectCounts, holding(heap, PROGRAM, [0], claimed)];
}

function structuresOf(heap: HeapGraph): ReadonlyMap<string, readonly number[]> {
  const structures = new Map<string, number[]>();
  for (let node = 0; node < heap.size; node++) {
    if (heap.typeOf(node) !== 'object') continue;
    const owner = ownerOf(heap, node);
    if (owner === undefined) continue;
    const known = structures.get(owner);
    if (known === undefined) structures.set(owner, [node]);
    else known.push(node);
  }
  return structures;
}

function ownerOf(heap: HeapGraph, node: number): string | undefined {
  const kind = heap.nameOf(node);
  if (!NODES.has(kind)) return SHARED.get(kind);
  for (const { name, to } of heap.edgesOf(node)) if (name === 'name') return heap.textOf(to);
  return undefined;
}

function holding(heap: HeapGraph, owner: string, structures: readonly number[], claimed: Uint8Array): Holding {
  const kinds: Record<string, number> = {};
  let bytes = 0;
  let objects = 0;
  const waiting = [...structures];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    const size = heap.bytesOf(node);
    const kind = kindOf(heap, node);
    bytes += size;
    objects += 1;
    kinds[kind] = (kinds[kind] ?? 0) + size;
    for (const { name, to } of heap.edgesOf(node)) {
      if (claimed[to] === 1 || isOfMap(heap, node, name)) continue;
      if (owner !== PROGRAM && isCode(heap, to)) continue;
      claimed[to] = 1;
      waiting.push(to);
    }
  }
  return { owner, bytes, objects, kinds };
}

/** The key of a WeakMap holds its value: V8 lists the value at the key and again at the map. */
function isOfMap(heap: HeapGraph, node: number, edge: string | number): boolean {
  return typeof edge === 'string' && edge.includes('pair in WeakMap') && !edge.includes(`@${heap.idOf(node)}) ->`);
}

function isCode(heap: HeapGraph, node: number): boolean {
  return CODE.has(heap.typeOf(node)) || heap.nameOf(node).startsWith('system / Context');
}

function kindOf(heap: HeapGraph, node: number): string {
  const type = heap.typeOf(node);
  return type === 'object' || type === 'hidden' ? heap.nameOf(node) : type;
}
