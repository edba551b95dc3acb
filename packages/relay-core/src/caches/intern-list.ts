/**
 * Shares one list among equal lists of the same objects: thousands of destinations have the same policies, in the same
 * order.
 */
import { InternPool } from './intern-pool.ts';

const LISTS = new InternPool<readonly object[]>();
const NUMBERS = new WeakMap<object, number>();
let nextNumber = 1;

/**
 * The shared list of these objects in this order. Results memoized for a list then serve all equal lists. Lists are
 * found by hash: of two with the same hash the later one is not shared, which costs no more than no sharing.
 */
export function internList<T extends object>(list: readonly T[]): readonly T[] {
  let hash = Math.imul(list.length + 1, 0x85eb_ca6b);
  for (const member of list) hash = Math.imul(hash ^ numberOf(member), 0x9e37_79b1) ^ (hash >>> 15);
  const known = LISTS.of(hash, list);
  return isOfSame(known, list) ? (known as readonly T[]) : list;
}

function isOfSame(a: readonly object[], b: readonly object[]): boolean {
  return a === b || (a.length === b.length && a.every((member, nth) => member === b[nth]));
}

function numberOf(member: object): number {
  const known = NUMBERS.get(member);
  if (known !== undefined) return known;
  const number = nextNumber++;
  NUMBERS.set(member, number);
  return number;
}
