/** One list, or record, for all of the very same objects: thousands of destinations have the same policies, in the same order. */
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

const RECORDS = new SharedValues<object>();

/** The one record of these very objects under these names, in this order. */
export function sameRecord<T extends object>(record: Readonly<Record<string, T>>): Readonly<Record<string, T>> {
  let id = '';
  for (const name of Object.keys(record)) id += `${name} ${numberOf(record[name] as T)},`;
  return RECORDS.of(id, record) as Readonly<Record<string, T>>;
}

function numberOf(member: object): number {
  const known = NUMBERS.get(member);
  if (known !== undefined) return known;
  const number = nextNumber++;
  NUMBERS.set(member, number);
  return number;
}
