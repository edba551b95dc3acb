/** Work of the graph between two moments, from its counters. */
import type { Graph, NodeCounters } from '@meshrelay/relay-core';

/** Sums over some nodes. */
export interface Work {
  readonly recomputed: number;
  readonly changed: number;
}

export class WorkMeter {
  readonly #graph: Graph;
  #before: ReadonlyMap<string, NodeCounters>;

  constructor(graph: Graph) {
    this.#graph = graph;
    this.#before = graph.counters();
  }

  /** Counts from here on. */
  restart(): void {
    this.#before = this.#graph.counters();
  }

  /** Work of each node since then, for nodes with any. */
  byNode(): Map<string, Work> {
    const work = new Map<string, Work>();
    for (const [name, now] of this.#graph.counters()) {
      const before = this.#before.get(name) ?? { recomputed: 0, changed: 0 };
      const done = { recomputed: now.recomputed - before.recomputed, changed: now.changed - before.changed };
      if (done.recomputed > 0 || done.changed > 0) work.set(name, done);
    }
    return work;
  }

  /** The sum over nodes with matching names. */
  of(fits: (node: string) => boolean): Work {
    const sum = { recomputed: 0, changed: 0 };
    for (const [name, { recomputed, changed }] of this.byNode()) {
      if (!fits(name)) continue;
      sum.recomputed += recomputed;
      sum.changed += changed;
    }
    return sum;
  }
}

/** Nodes that call plugins to translate views into objects; each of their outputs is a plugin's result for one view. */
export function isTranslation(node: string): boolean {
  return /^translate\/[a-z-]+\/attempts$/.test(node);
}
