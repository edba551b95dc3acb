/** What one commit has changed in one collection, in columns: later nodes walk through them, and few changes are ever looked at as objects. */
import type { Change } from './collection.ts';
import type { Key } from './key.ts';

export class ChangeLog<V> {
  readonly keys: Key[] = [];
  /** The rows of the keys, as they are during the commit. */
  readonly rows: number[] = [];
  readonly before: (V | undefined)[] = [];
  readonly after: (V | undefined)[] = [];
  #list: readonly Change<V>[] | undefined;

  get length(): number {
    return this.keys.length;
  }

  add(key: Key, row: number, before: V | undefined, after: V | undefined): void {
    this.keys.push(key);
    this.rows.push(row);
    this.before.push(before);
    this.after.push(after);
  }

  /** The changes one by one; for a log that is complete. */
  list(): readonly Change<V>[] {
    this.#list ??= this.keys.map((key, at) => ({ key, before: this.before[at], after: this.after[at] }));
    return this.#list;
  }
}
