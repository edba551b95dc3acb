/** The beginning of an order, without putting all that follows in order too. */

/** The first `most` items, sorted; of equal ones those that came first. Costs what a look at each costs, as long as `most` is small; infinitely many are sorted. */
export function firstOf<T>(items: Iterable<T>, most: number, compare: (a: T, b: T) => number): T[] {
  if (most === Number.POSITIVE_INFINITY) return [...items].sort(compare);
  const first: T[] = [];
  for (const item of items) {
    const last = first.at(-1);
    // Nearly every item goes this way.
    if (first.length === most && (last === undefined || compare(item, last) >= 0)) continue;
    const place = first.findIndex((other) => compare(item, other) < 0);
    first.splice(place < 0 ? first.length : place, 0, item);
    if (first.length > most) first.pop();
  }
  return first;
}
