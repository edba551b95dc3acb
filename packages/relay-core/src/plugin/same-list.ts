/** One list for all of the very same objects: thousands of destinations have the same policies, in the same order. */
import { SharedValues } from './shared-values.ts';

const LISTS = new SharedValues<readonly object[]>();
const NUMBERS = new WeakMap<object, number>();
let nextNumber = 1;

/** The one list of these very objects in this order. What is remembered of a list is then remembered for all like it. */
export function sameList<T extends object>(list: readonly T[]): readonly T[] {
  let id = '';
  for (const member of list) id += `${numberOf(member)},`;
  return LISTS.of(id, list) as readonly T[];
}

function numberOf(member: object): number {
  const known = NUMBERS.get(member);
  if (known !== undefined) return known;
  const number = nextNumber++;
  NUMBERS.set(member, number);
  return number;
}
