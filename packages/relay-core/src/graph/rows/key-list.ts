/** Short lists of keys: validation, deduplication and membership tests. */

import type { Key } from '@meshrelay/plugin';
import { GraphError } from '../errors.ts';
import { iterableOf } from '../plain-output.ts';

export const NO_KEYS: readonly Key[] = Object.freeze([]);

/** Above this size a set is faster than a linear search. */
export const SHORT = 8;

/** The buckets that a user's function returned, without repetition. @throws GRAPH_E_OUTPUT, GRAPH_E_ASYNC */
export function distinctKeys(keys: Iterable<Key>, what: string): readonly Key[] {
  const given = iterableOf(keys, what);
  const list: readonly Key[] = Array.isArray(given) ? given : [...given];
  for (const key of list) {
    if (typeof key === 'string') continue;
    throw new GraphError('GRAPH_E_OUTPUT', `${what} gave a bucket that is not a key: make keys with key()`);
  }
  return hasRepetition(list) ? [...new Set(list)] : list;
}

/** A membership test for a list that is usually short. */
export function membership<T>(list: readonly T[]): { has(one: T): boolean } {
  if (list.length === 0) return EMPTY;
  return list.length <= SHORT ? { has: (one) => list.includes(one) } : new Set(list);
}

const EMPTY: { has(): boolean } = { has: () => false };

/** Above this many keys, a set finds repetitions faster. */
const SMALL_COUNT = 16;

function hasRepetition(keys: readonly Key[]): boolean {
  if (keys.length > SMALL_COUNT) return new Set(keys).size < keys.length;
  for (let i = 1; i < keys.length; i++) if (keys.indexOf(keys[i] as Key) < i) return true;
  return false;
}
