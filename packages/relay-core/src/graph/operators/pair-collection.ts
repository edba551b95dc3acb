/** The pairs of a match as a collection. */
import { type Key, key as keyOf, type Pair } from '@meshrelay/plugin';
import type { Explanation } from '../collection.ts';
import type { ChangesByCollection } from '../commit/node.ts';
import { PairTable } from '../rows/pair-table.ts';
import type { CollectionStore } from '../storage/collection-store.ts';
import type { PairKeeper } from './match.ts';

export interface PairCollectionOptions {
  readonly store: CollectionStore<Pair>;
  readonly left: CollectionStore<unknown>;
  readonly right: CollectionStore<unknown>;
  readonly prepare: (pair: Pair) => Pair;
}

const NO_STEPS: readonly never[] = Object.freeze([]);

export class PairCollection implements PairKeeper {
  readonly pairs: PairTable = new PairTable();
  readonly #options: PairCollectionOptions;

  constructor(options: PairCollectionOptions) {
    this.#options = options;
  }

  /** Nothing to do: the store tracks the changes of the running commit. */
  begin(): void {}

  add(left: number, right: number): void {
    this.pairs.add(left, right);
    const pair = this.#pairOf(left, right);
    const { store, prepare } = this.#options;
    store.put(keyOf(pair.left, pair.right), undefined, prepare(pair));
  }

  remove(left: number, right: number): void {
    this.pairs.delete(left, right);
    const pair = this.#pairOf(left, right);
    const { store } = this.#options;
    const key = keyOf(pair.left, pair.right);
    store.put(key, store.now(key), undefined);
  }

  /** Nothing to do: a pair consists of keys, which do not change. */
  revise(): void {}

  /** Nothing to do: the readers of a pair were marked dirty when it changed. */
  converge(): Iterable<void> {
    return NO_STEPS;
  }

  publish(into: ChangesByCollection): void {
    const { store } = this.#options;
    if (store.changes.length > 0) into.set(store, store.publish());
  }

  explain(key: Key): Explanation | undefined {
    const { store, left, right } = this.#options;
    const pair = store.get(key);
    if (pair === undefined) return undefined;
    const reads = [
      { collection: left.name, key: pair.left, via: 'get' as const },
      { collection: right.name, key: pair.right, via: 'get' as const },
    ];
    return { node: store.name, key, reads, outputs: [[key, pair]] };
  }

  get sizes(): Readonly<Record<string, number>> {
    return this.#options.store.sizes;
  }

  #pairOf(left: number, right: number): Pair {
    return { left: this.#options.left.rows.key(left), right: this.#options.right.rows.key(right) };
  }
}
