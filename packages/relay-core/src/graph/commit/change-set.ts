/** The changes of one commit. */
import type { Collection } from '@meshrelay/plugin';
import type { Change, ChangeSet } from '../collection.ts';
import { MappedCollection } from '../shown.ts';
import type { ChangesByCollection } from './node.ts';

const NONE: readonly never[] = Object.freeze([]);

export class CommitChanges implements ChangeSet {
  readonly #changes: ChangesByCollection;
  readonly size: number;

  constructor(changes: ChangesByCollection) {
    this.#changes = changes;
    this.size = changes.values().reduce((sum, list) => sum + list.length, 0);
  }

  of<V>(collection: Collection<V>): ReadonlyArray<Change<V>> {
    if (collection instanceof MappedCollection)
      return this.of(collection.retained).map((change) => collection.shownChange(change));
    return (this.#changes.get(collection)?.list() as ReadonlyArray<Change<V>> | undefined) ?? NONE;
  }
}
