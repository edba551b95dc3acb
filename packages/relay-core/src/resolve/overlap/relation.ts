/** How the requests of one matcher lie to those of another. */

/**
 * Of an earlier matcher to a later one. `covers`: it takes every request of the later; `within`: the later takes every one of it; `crossing`: each
 * takes, or may take, some that the other does not; `unknown`: whether it covers the later cannot be told.
 */
export type Relation = 'equal' | 'covers' | 'within' | 'disjoint' | 'crossing' | 'unknown';

/** The relation of two conjunctions, part by part: parts are about different things, so requests can be found for any mix of them. */
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

/** Of two values that may each be any. */
export function ofOptional(earlier: string | undefined, later: string | undefined): Relation {
  if (earlier === later) return 'equal';
  if (earlier === undefined) return 'covers';
  return later === undefined ? 'within' : 'disjoint';
}

/** Of two sets of labels that must all be there. */
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
