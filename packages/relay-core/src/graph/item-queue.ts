/** The items a node has to run in a commit: those its input changed, and those that something they read has woken. */
import type { ChangeLog } from './change-log.ts';
import type { CollectionStore } from './collection-store.ts';
import type { Key } from './key.ts';
import { NO_ROW } from './rows.ts';

/** Goes through the items one by one, each once. After {@link next} the item stands in its fields, so that no step allocates. */
export class ItemQueue<In> {
  readonly #input: CollectionStore<In>;
  /** Rows of the input. */
  readonly #woken = new Set<number>();
  #changes: ChangeLog<In> | undefined;
  #nextChange = 0;
  #cursor: Iterator<number> | undefined;
  key: Key = '';
  /** The item's row in the input. */
  row: number = NO_ROW;
  /** The item's value; undefined when it is gone. */
  value: In | undefined;
  /** The input had no such item before this commit, so that nothing is known about it. */
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

  /** Goes to the next item. @returns false when there is none */
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
    // Held on to, the log would keep what every changed item was before.
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
