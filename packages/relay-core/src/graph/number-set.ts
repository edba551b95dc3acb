/** Sets of whole numbers, of which there are very many, nearly all of them small: a single number is itself, a few are a plain array, many a table. */
import { HashRows } from './hash-rows.ts';

/** Never changed but by what is here. Undefined is the empty set. */
export type NumberSet = number | readonly number[] | HashRows | undefined;

/** Up to so many are looked through one by one. */
const SMALL_COUNT = 32;

/** The set with a number that is not in it; the one given is no more. */
export function withNumber(set: NumberSet, number: number): NumberSet {
  if (set === undefined) return number;
  if (typeof set === 'number') return [set, number];
  if (set instanceof HashRows) {
    set.add(number, number);
    return set;
  }
  // A copy has no room to spare.
  if (set.length < SMALL_COUNT) return set.concat(number);
  const table = HashRows.underThemselves();
  for (const one of set) table.add(one, one);
  table.add(number, number);
  return table;
}

/** The set without a number that is in it; the one given is no more. */
export function withoutNumber(set: NumberSet, number: number): NumberSet {
  if (set === undefined || typeof set === 'number') return undefined;
  if (set instanceof HashRows) {
    set.remove(number);
    return set.size > SMALL_COUNT / 2 ? set : [...set.rows()];
  }
  const rest = set.filter((one) => one !== number);
  return rest.length === 1 ? rest[0] : rest;
}

/** What is in it; the order says nothing. */
export function numbersIn(set: NumberSet): Iterable<number> {
  if (set === undefined) return NONE;
  if (typeof set === 'number') return [set];
  return set instanceof HashRows ? set.rows() : set;
}

const NONE: readonly number[] = Object.freeze([]);
