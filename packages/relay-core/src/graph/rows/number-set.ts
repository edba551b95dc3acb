/**
 * Sets of integers. There are very many, nearly all small: a single number is stored bare, a few as an array, many as a
 * table.
 */
import { HashRows } from './hash-rows.ts';

/** Changed only by the functions of this file. Undefined is the empty set. */
export type NumberSet = number | readonly number[] | HashRows | undefined;

/** Up to this size the set is searched linearly. */
const SMALL_COUNT = 32;

/** Adds a number that is not in the set. The given set is invalid afterwards. */
export function withNumber(set: NumberSet, number: number): NumberSet {
  if (set === undefined) return number;
  if (typeof set === 'number') return [set, number];
  if (set instanceof HashRows) {
    set.add(number, number);
    return set;
  }
  // A copy has no spare capacity.
  if (set.length < SMALL_COUNT) return set.concat(number);
  const table = HashRows.underThemselves();
  for (const one of set) table.add(one, one);
  table.add(number, number);
  return table;
}

/** Removes a number that is in the set. The given set is invalid afterwards. */
export function withoutNumber(set: NumberSet, number: number): NumberSet {
  if (set === undefined || typeof set === 'number') return undefined;
  if (set instanceof HashRows) {
    set.remove(number);
    return set.size > SMALL_COUNT / 2 ? set : [...set.rows()];
  }
  const rest = set.filter((one) => one !== number);
  return rest.length === 1 ? rest[0] : rest;
}

/** The members, in no particular order. */
export function numbersIn(set: NumberSet): Iterable<number> {
  if (set === undefined) return NONE;
  if (typeof set === 'number') return [set];
  return set instanceof HashRows ? set.rows() : set;
}

const NONE: readonly number[] = Object.freeze([]);
