/** Queue of items a node runs in a commit: items that its input changed, and items marked dirty by a changed read. */

import type { Key } from '@meshrelay/plugin';
import { NO_ROW } from '../rows/rows.ts';
import type { ChangeLog } from '../storage/change-log.ts';
import type { CollectionStore } from '../storage/collection-store.ts';

/**
 * Iterates over the items, each once. {@link next} puts the item into the fields below, so a step allocates nothing.
 */
export class ItemQueue<In> {
  readonly #input: CollectionStore<In>;
  /** Dirty rows of the input. */
  readonly #woken = new Set<number>();
  #changes: ChangeLog<In> | undefined;
  #nextChange = 0;
  #cursor: Iterator<number> | undefined;
  key: Key = '';
  /** The item's row in the input. */
  row: number = NO_ROW;
  /** The item's value; undefined if it was deleted. */
  value: In | undefined;
  /** True if the input did not have the item before this commit, so the node stores nothing for it. */
  isNew = false;

  constructor(input: CollectionStore<In>) {
    this.#input = input;
  }

  wake(row: number): void {
    this.#woken.add(row);
  }

  /** @returns whether there is anything to do */
  begin(): boolean {
    this.#changes = this.#input.changes;
    this.#nextChange = 0;
    this.#cursor = undefined;
    return this.#changes.length > 0 || this.#woken.size > 0;
  }

  /** Advances to the next item. @returns false after the last item */
  next(): boolean {
    const changes = this.#changes;
    const at = this.#nextChange;
    if (changes === undefined || at >= changes.length) return this.#nextWoken();
    this.#nextChange += 1;
    this.key = changes.keys[at] as Key;
    this.row = changes.rows[at] as number;
    this.value = changes.after[at];
    this.isNew = changes.before(at) === undefined;
    if (this.#woken.size > 0) this.#woken.delete(this.row);
    return true;
  }

  end(): void {
    this.#woken.clear();
    this.#cursor = undefined;
    // Drop the reference: the log holds the previous value of every changed item.
    this.#changes = undefined;
    this.value = undefined;
  }

  get size(): number {
    return this.#woken.size + (this.#changes?.length ?? 0);
  }

  #nextWoken(): boolean {
    this.#cursor ??= this.#woken.values();
    const next = this.#cursor.next();
    if (next.done) return false;
    this.row = next.value;
    this.key = this.#input.rows.key(next.value);
    this.value = this.#input.at(next.value);
    this.isNew = false;
    return true;
  }
}
