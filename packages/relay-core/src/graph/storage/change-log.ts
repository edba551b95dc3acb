/**
 * Changes of one commit in one collection, stored as columns. Later nodes iterate over them; few changes are ever read
 * as objects.
 */

import type { Key } from '@meshrelay/plugin';
import type { Change } from '../collection.ts';

export class ChangeLog<V> {
  readonly keys: Key[] = [];
  /** The rows of the keys, as assigned during the commit. */
  readonly rows: number[] = [];
  readonly after: (V | undefined)[] = [];
  /** Previous values, up to the last change of an existing key; empty during the initial fill. */
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

  /** Whether any change replaces or deletes an existing value. */
  get replaces(): boolean {
    return this.#before.length > 0;
  }

  /** The value that the change at an index replaced; undefined for an added key. */
  before(at: number): V | undefined {
    return this.#before[at];
  }

  /** The changes as objects. Call only when the log is complete. */
  list(): readonly Change<V>[] {
    this.#list ??= this.keys.map((key, at) => ({ key, before: this.#before[at], after: this.after[at] }));
    return this.#list;
  }
}
