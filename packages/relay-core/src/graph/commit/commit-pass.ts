/**
 * One pass of a commit through the nodes, in order of creation. Each key runs once; the pass can stop between any two
 * keys.
 */
import type { GraphNode } from './node.ts';

export class CommitPass {
  readonly #nodes: readonly GraphNode[];
  /** Nodes with work in this commit. */
  readonly reached: GraphNode[] = [];
  #next = 0;
  #current: GraphNode | undefined;

  constructor(nodes: readonly GraphNode[]) {
    this.#nodes = nodes;
  }

  /**
   * Runs until done, or until `enough` returns true after a key.
   * @returns whether the pass is done
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
