/** Nodes that sleep until somebody asks for what they give. */
import type { Dormant, Pacing } from './collection.ts';
import type { CollectionStore } from './collection-store.ts';
import type { GraphNode } from './node.ts';

/** The nodes, and what they are made of. */
export interface Sleepers {
  readonly nodes: GraphNode[];
  /** Kept collections that are computed whether they sleep or not. */
  readonly inputs: Set<CollectionStore<unknown>>;
}

/** How a graph wakes them: see {@link Dormant}. */
export interface Waking {
  now(): void;
  pausing(pacing: Pacing): Promise<void>;
}

export class DormantPart<T> implements Dormant<T> {
  readonly #made: T;
  readonly #waking: Waking;

  constructor(made: T, waking: Waking) {
    this.#made = made;
    this.#waking = waking;
  }

  awake(): T {
    this.#waking.now();
    return this.#made;
  }

  async awakePausing(pacing: Pacing): Promise<T> {
    await this.#waking.pausing(pacing);
    return this.#made;
  }
}
