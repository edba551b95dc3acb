/** The beginning of an order, without putting all that follows in order too. */

/** The first `max` items, sorted; of equal ones those that came first. Costs what a look at each costs, as long as `max` is small; infinitely many are sorted. */
export function firstOf<T>(items: Iterable<T>, max: number, compare: (a: T, b: T) => number): T[] {
  if (max === Number.POSITIVE_INFINITY) return [...items].sort(compare);
  const first: T[] = [];
  for (const item of items) put(first, item, max, compare);
  return first;
}

/** The same of lists that are sorted already: of each no more is looked at than finds room, and one. */
export function firstOfSorted<T>(lists: Iterable<readonly T[]>, max: number, compare: (a: T, b: T) => number): T[] {
  if (max === Number.POSITIVE_INFINITY) return [...lists].flat().sort(compare);
  const first: T[] = [];
  for (const list of lists) for (const item of list) if (!put(first, item, max, compare)) break;
  return first;
}

/** Puts an item into its place. @returns whether it has room */
function put<T>(first: T[], item: T, max: number, compare: (a: T, b: T) => number): boolean {
  const last = first.at(-1);
  // Nearly every item goes this way.
  if (first.length === max && (last === undefined || compare(item, last) >= 0)) return false;
  const place = first.findIndex((other) => compare(item, other) < 0);
  first.splice(place < 0 ? first.length : place, 0, item);
  if (first.length > max) first.pop();
  return true;
}
