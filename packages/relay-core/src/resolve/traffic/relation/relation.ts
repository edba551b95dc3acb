/** The relation of the requests of two matchers. */

/**
 * The relation of an earlier matcher to a later one:
 * - `covers`: the earlier takes every request of the later;
 * - `within`: the later takes every request of the earlier;
 * - `crossing`: each takes, or may take, requests that the other does not;
 * - `unknown`: whether the earlier covers the later is undecidable.
 */
export type Relation = 'equal' | 'covers' | 'within' | 'disjoint' | 'crossing' | 'unknown';

/**
 * The relation of two conjunctions, part by part. Parts concern independent properties, so some request exists for
 * every combination.
 */
export function together(parts: readonly Relation[]): Relation {
  if (parts.includes('disjoint')) return 'disjoint';
  const maybe = parts.every((part) => part === 'equal' || part === 'covers' || part === 'unknown');
  if (parts.includes('unknown')) return maybe ? 'unknown' : 'crossing';
  const covers = parts.every((part) => part === 'equal' || part === 'covers');
  const within = parts.every((part) => part === 'equal' || part === 'within');
  if (covers && within) return 'equal';
  if (covers) return 'covers';
  return within ? 'within' : 'crossing';
}

/** The relation of two optional values; undefined matches any value. */
export function ofOptional(earlier: string | undefined, later: string | undefined): Relation {
  if (earlier === later) return 'equal';
  if (earlier === undefined) return 'covers';
  return later === undefined ? 'within' : 'disjoint';
}

/** The relation of two sets of labels that are all required. */
export function ofLabels(
  earlier: Readonly<Record<string, string>> = {},
  later: Readonly<Record<string, string>> = {},
): Relation {
  const names = Object.keys(earlier);
  if (names.some((name) => Object.hasOwn(later, name) && later[name] !== earlier[name])) return 'disjoint';
  const covers = names.every((name) => Object.hasOwn(later, name));
  const within = Object.keys(later).every((name) => Object.hasOwn(earlier, name));
  if (covers && within) return 'equal';
  if (covers) return 'covers';
  return within ? 'within' : 'crossing';
}
