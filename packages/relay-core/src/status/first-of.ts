/** The first items of an order, without sorting the rest. */

/**
 * The first `max` items, sorted; of equal items the earlier ones. Costs one comparison for each item as long as `max`
 * is small; an infinite `max` sorts all.
 */
export function firstOf<T>(items: Iterable<T>, max: number, compare: (a: T, b: T) => number): T[] {
  if (max === Number.POSITIVE_INFINITY) return [...items].sort(compare);
  const first: T[] = [];
  for (const item of items) put(first, item, max, compare);
  return first;
}

/** The same for lists that are already sorted: reads of each list only the items that fit, and one more. */
export function firstOfSorted<T>(lists: Iterable<readonly T[]>, max: number, compare: (a: T, b: T) => number): T[] {
  if (max === Number.POSITIVE_INFINITY) return [...lists].flat().sort(compare);
  const first: T[] = [];
  for (const list of lists) for (const item of list) if (!put(first, item, max, compare)) break;
  return first;
}

/**
 * Inserts an item at its position.
 * @returns whether it fits
 */
function put<T>(first: T[], item: T, max: number, compare: (a: T, b: T) => number): boolean {
  const last = first.at(-1);
  // Nearly every item takes this branch.
  if (first.length === max && (last === undefined || compare(item, last) >= 0)) return false;
  const place = first.findIndex((other) => compare(item, other) < 0);
  first.splice(place < 0 ? first.length : place, 0, item);
  if (first.length > max) first.pop();
  return true;
}
