/** Lazy nodes: computed on first use. */
import type { Lazy, YieldOptions } from '../collection.ts';
import type { GraphNode } from '../commit/node.ts';
import type { CollectionStore } from '../storage/collection-store.ts';

/** The nodes and their inputs. */
export interface LazyNodes {
  readonly nodes: GraphNode[];
  /** Stored collections that are computed whether or not the lazy nodes are active. */
  readonly inputs: Set<CollectionStore<unknown>>;
}

/** How a graph activates the nodes; see {@link Lazy}. */
export interface Waking {
  now(): void;
  yielding(yieldOptions: YieldOptions): Promise<void>;
}

export class LazyPart<T> implements Lazy<T> {
  readonly #made: T;
  readonly #waking: Waking;

  constructor(made: T, waking: Waking) {
    this.#made = made;
    this.#waking = waking;
  }

  activate(): T {
    this.#waking.now();
    return this.#made;
  }

  async activateYielding(yieldOptions: YieldOptions): Promise<T> {
    await this.#waking.yielding(yieldOptions);
    return this.#made;
  }
}
