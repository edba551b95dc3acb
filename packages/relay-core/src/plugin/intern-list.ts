/** One list for all of the very same objects: thousands of destinations have the same policies, in the same order. */
import { InternPool } from './intern-pool.ts';

const LISTS = new InternPool<readonly object[]>();
const NUMBERS = new WeakMap<object, number>();
let nextNumber = 1;

/**
 * The one list of these very objects in this order. What is remembered of a list is then remembered for all like it. Lists are found by hash: of two with one hash the
 * later is nobody's but its own, which costs what it would without this.
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
