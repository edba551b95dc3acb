/** A V8 heap snapshot as arrays: the objects, their own sizes, and their references. */
import { Buffer } from 'node:buffer';
import { getHeapSnapshot } from 'node:v8';

/** The format that V8 writes, limited to the fields that are read here. */
interface SnapshotFile {
  readonly snapshot: {
    readonly meta: {
      readonly node_fields: readonly string[];
      readonly node_types: readonly [readonly string[], ...unknown[]];
      readonly edge_fields: readonly string[];
      readonly edge_types: readonly [readonly string[], ...unknown[]];
    };
  };
  readonly nodes: readonly number[];
  readonly edges: readonly number[];
  readonly strings: readonly string[];
}

/** One reference from an object to another. */
export interface HeapEdge {
  /** Of a property or an internal field; the index for elements. */
  readonly name: string | number;
  readonly to: number;
}

/** Objects are numbers, from 0, the root. */
export class HeapGraph {
  readonly #file: SnapshotFile;
  readonly #nodeFields: number;
  readonly #edgeFields: number;
  readonly #weak: number;
  /** Edge types whose names are indexes, not texts. */
  readonly #numbered: ReadonlySet<number>;
  /** By object: the start of its edges. */
  readonly #firstEdge: Uint32Array;

  /** Takes a snapshot of this process, after a full collection. */
  static async taken(): Promise<HeapGraph> {
    const parts: Buffer[] = [];
    for await (const part of getHeapSnapshot()) parts.push(part as Buffer);
    return new HeapGraph(JSON.parse(Buffer.concat(parts).toString()) as SnapshotFile);
  }

  constructor(file: SnapshotFile) {
    const { meta } = file.snapshot;
    const types = meta.edge_types[0];
    this.#file = file;
    this.#nodeFields = meta.node_fields.length;
    this.#edgeFields = meta.edge_fields.length;
    this.#weak = types.indexOf('weak');
    this.#numbered = new Set([types.indexOf('element'), types.indexOf('hidden')]);
    this.#firstEdge = new Uint32Array(this.size + 1);
    for (let node = 0; node < this.size; node++)
      this.#firstEdge[node + 1] = (this.#firstEdge[node] as number) + this.#field(node, 4);
  }

  get size(): number {
    return this.#file.nodes.length / this.#nodeFields;
  }

  /** `object`, `string`, `array`, `closure`, … in V8's terms. */
  typeOf(node: number): string {
    return this.#file.snapshot.meta.node_types[0][this.#field(node, 0)] as string;
  }

  /** The constructor of an object, the text of a string. */
  nameOf(node: number): string {
    return this.#file.strings[this.#field(node, 1)] as string;
  }

  /** The text of a string, also of one that V8 stores in two halves. */
  textOf(node: number): string {
    if (this.typeOf(node) !== 'concatenated string') return this.nameOf(node);
    const halves = new Map([...this.edgesOf(node)].map(({ name, to }) => [name, to]));
    const half = (name: string): string => this.textOf(halves.get(name) as number);
    return half('first') + half('second');
  }

  idOf(node: number): number {
    return this.#field(node, 2);
  }

  /** Own bytes of the object. */
  bytesOf(node: number): number {
    return this.#field(node, 3);
  }

  /** The objects that an object references; without weak references. */
  *edgesOf(node: number): Iterable<HeapEdge> {
    const { edges, strings } = this.#file;
    for (let edge = this.#firstEdge[node] as number; edge < (this.#firstEdge[node + 1] as number); edge++) {
      const at = edge * this.#edgeFields;
      const type = edges[at] as number;
      if (type === this.#weak) continue;
      const name = edges[at + 1] as number;
      yield {
        name: this.#numbered.has(type) ? name : (strings[name] as string),
        to: (edges[at + 2] as number) / this.#nodeFields,
      };
    }
  }

  #field(node: number, field: number): number {
    return this.#file.nodes[node * this.#nodeFields + field] as number;
  }
}
