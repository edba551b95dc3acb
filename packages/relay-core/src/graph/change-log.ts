/** What one commit has changed in one collection, in columns: later nodes walk through them, and few changes are ever looked at as objects. */
import type { Change } from './collection.ts';
import type { Key } from './key.ts';

export class ChangeLog<V> {
  readonly keys: Key[] = [];
  /** The rows of the keys, as they are during the commit. */
  readonly rows: number[] = [];
  readonly after: (V | undefined)[] = [];
  /** Up to the last change of something that was there: none while a graph is filled. */
  readonly #before: (V | undefined)[] = [];
  #list: readonly Change<V>[] | undefined;

  get length(): number {
    return this.keys.length;
  }

  add(key: Key, row: number, before: V | undefined, after: V | undefined): void {
    if (before !== undefined) {
      while (this.#before.length < this.keys.length) this.#before.push(undefined);
      this.#before.push(before);
    }
    this.keys.push(key);
    this.rows.push(row);
    this.after.push(after);
  }

  /** Whether any change is of something that was there. */
  get replaces(): boolean {
    return this.#before.length > 0;
  }

  /** The value that the change at a place replaced; undefined where there was none. */
  before(at: number): V | undefined {
    return this.#before[at];
  }

  /** The changes one by one; for a log that is complete. */
  list(): readonly Change<V>[] {
    this.#list ??= this.keys.map((key, at) => ({ key, before: this.#before[at], after: this.after[at] }));
    return this.#list;
  }
}
