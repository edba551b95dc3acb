/** What a DENY rule leaves of an ALLOW rule, for meshes that do not support DENY. */

/**
 * `all`: the DENY rejects no request of the ALLOW. `none`: it rejects all of them. `inexpressible`: no rule can match
 * the requests that it leaves. Otherwise: the part of the rule that matches them.
 */
export type Remaining<Part> = 'all' | 'none' | 'inexpressible' | Part;

/** How an item of the ALLOW relates to one of the DENY: all, none or some of its requests are denied. */
export type Relation = 'within' | 'apart' | 'crossing';

/** The remaining items of a list of which a request must match one; an empty list matches any request. */
export function remainingItems<T>(
  allowed: readonly T[],
  denied: readonly T[],
  relate: (allowed: T, denied: T) => Relation,
): Remaining<readonly T[]> {
  if (denied.length === 0) return 'none';
  if (allowed.length === 0) return 'inexpressible';
  const remaining = allowed.filter((one) => !denied.some((other) => relate(one, other) === 'within'));
  if (remaining.some((one) => denied.some((other) => relate(one, other) === 'crossing'))) return 'inexpressible';
  return remaining.length === allowed.length ? 'all' : remaining.length === 0 ? 'none' : remaining;
}

/** The relation of values without wildcards. */
export function equality<T>(allowed: T, denied: T): Relation {
  return allowed === denied ? 'within' : 'apart';
}

/** With exclusions, a DENY does not name the requests that it leaves. */
export function remainingOfExclusions(denied: readonly unknown[]): Remaining<never> {
  return denied.length > 0 ? 'inexpressible' : 'none';
}
