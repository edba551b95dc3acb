/** The order of keys. */
import type { Key } from '@meshrelay/plugin';

/** Orders keys by UTF-16 code units, which gives the same order on every machine and in every locale. */
export function compareKeys(a: Key, b: Key): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
