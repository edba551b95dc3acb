/**
 * Short lists of keys by row, such as the keys an item contributes to or claims. A list of one, the common case, is
 * stored as the bare key.
 */
import type { Key } from '@meshrelay/plugin';
import { NO_KEYS } from './key-list.ts';

export class KeyColumn {
  readonly #keys: (Key | readonly Key[] | undefined)[] = [];
  #size = 0;

  get(row: number): readonly Key[] {
    const keys = this.#keys[row];
    return keys === undefined ? NO_KEYS : typeof keys === 'string' ? [keys] : keys;
  }

  set(row: number, keys: readonly Key[]): void {
    const had = this.#keys[row] !== undefined;
    if (keys.length === 0 && !had) return;
    this.#size += (keys.length > 0 ? 1 : 0) - (had ? 1 : 0);
    while (this.#keys.length < row) this.#keys.push(undefined);
    this.#keys[row] = keys.length === 0 ? undefined : keys.length === 1 ? keys[0] : keys;
  }

  /** The number of rows with keys. */
  get size(): number {
    return this.#size;
  }
}
