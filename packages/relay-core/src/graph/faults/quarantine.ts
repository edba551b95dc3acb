/** Errors of single keys: the current quarantine, as a collection whose changes are part of each commit. */

import { type Key, key } from '@meshrelay/plugin';
import type { Quarantine } from '../collection.ts';
import type { ChangesByCollection } from '../commit/node.ts';
import type { ReadEdges } from '../edges/read-edges.ts';
import { CollectionStore } from '../storage/collection-store.ts';

/** All errors of a graph. It ranks after every node, so no transform can read it. */
export class QuarantineBoard {
  readonly store: CollectionStore<Quarantine>;
  readonly #pending = new Map<Key, Quarantine | undefined>();

  constructor(edges: ReadEdges) {
    this.store = new CollectionStore({ name: 'quarantined', rank: Number.POSITIVE_INFINITY, edges });
  }

  /** The errors of one node. `role` distinguishes errors of one node that could have equal keys. */
  faultsOf(node: string, role?: string): NodeFaults {
    const id = (of: Key) => (role === undefined ? key(node, of) : key(node, role, of));
    return new NodeFaults(node, (of, fault) => this.#pending.set(id(of), fault));
  }

  publish(into: ChangesByCollection): void {
    for (const [id, after] of this.#pending) {
      const before = this.store.now(id);
      if (before !== after) this.store.put(id, before, after);
    }
    this.#pending.clear();
    if (this.store.changes.length > 0) into.set(this.store, this.store.publish());
  }
}

/** The errors of one node, by the key they are filed under. */
export class NodeFaults {
  readonly #node: string;
  readonly #file: (of: Key, fault: Quarantine | undefined) => void;
  readonly #current = new Map<Key, Quarantine>();

  constructor(node: string, file: (of: Key, fault: Quarantine | undefined) => void) {
    this.#node = node;
    this.#file = file;
  }

  /**
   * Files an error; filing the same error again changes nothing. `item` is the key to report if it differs from `of`.
   */
  set(of: Key, error: unknown, item: Key = of): void {
    const known = this.#current.get(of);
    if (known !== undefined && known.key === item && sameError(known.error, error)) return;
    const fault = { node: this.#node, key: item, error };
    this.#current.set(of, fault);
    this.#file(of, fault);
  }

  clear(of: Key): void {
    if (this.#current.size > 0 && this.#current.delete(of)) this.#file(of, undefined);
  }

  get size(): number {
    return this.#current.size;
  }
}

/** Errors of repeated runs are the same if their text is. */
function sameError(a: unknown, b: unknown): boolean {
  if (!(a instanceof Error && b instanceof Error)) return Object.is(a, b);
  return a.name === b.name && a.message === b.message && codeOf(a) === codeOf(b);
}

function codeOf(error: Error): unknown {
  return 'code' in error ? error.code : undefined;
}
