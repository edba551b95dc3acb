/** The items a node has to run in a commit: those its input changed, and those that something they read has woken. */
import type { Change } from './collection.ts';
import type { CollectionStore } from './collection-store.ts';
import type { Key } from './key.ts';

/** Goes through the items one by one, each once. After {@link next} the item stands in its fields, so that no step allocates. */
export class ItemQueue<In> {
  readonly #input: CollectionStore<In>;
  readonly #woken = new Set<Key>();
  #changes: readonly Change<In>[] = [];
  #nextChange = 0;
  #cursor: Iterator<Key> | undefined;
  key: Key = '';
  /** The item's value; undefined when it is gone. */
  value: In | undefined;
  /** The input had no such item before this commit, so that nothing is known about it. */
  isNew = false;

  constructor(input: CollectionStore<In>) {
    this.#input = input;
  }

  wake(item: Key): void {
    this.#woken.add(item);
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
    const change = this.#changes[this.#nextChange];
    if (change === undefined) return this.#nextWoken();
    this.#nextChange += 1;
    this.key = change.key;
    this.value = change.after;
    this.isNew = change.before === undefined;
    if (this.#woken.size > 0) this.#woken.delete(change.key);
    return true;
  }

  end(): void {
    this.#woken.clear();
    this.#changes = [];
    this.#cursor = undefined;
    this.value = undefined;
  }

  get size(): number {
    return this.#woken.size + this.#changes.length;
  }

  #nextWoken(): boolean {
    this.#cursor ??= this.#woken.values();
    const next = this.#cursor.next();
    if (next.done) return false;
    this.key = next.value;
    this.value = this.#input.now(next.value);
    this.isNew = false;
    return true;
  }
}
