/** One commit's way through the nodes: in order of creation, each key once, able to stop between any two keys. */
import type { GraphNode } from './node.ts';

export class CommitPass {
  readonly #nodes: readonly GraphNode[];
  /** The nodes that had anything to do. */
  readonly reached: GraphNode[] = [];
  #next = 0;
  #current: GraphNode | undefined;

  constructor(nodes: readonly GraphNode[]) {
    this.#nodes = nodes;
  }

  /**
   * Works until it is done, or until `enough` says so after a key.
   * @returns whether it is done
   */
  run(enough?: () => boolean): boolean {
    for (;;) {
      this.#current ??= this.#nextNode();
      if (this.#current === undefined) return true;
      while (this.#current.step()) if (enough?.()) return false;
      this.#current = undefined;
    }
  }

  #nextNode(): GraphNode | undefined {
    while (this.#next < this.#nodes.length) {
      const node = this.#nodes[this.#next++] as GraphNode;
      if (!node.begin()) continue;
      this.reached.push(node);
      return node;
    }
    return undefined;
  }
}
