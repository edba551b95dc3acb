/**
 * The relation of lists of headers, or of query parameters. Expressions and inverted matches count only if both lists
 * contain the same ones.
 */
import type { NamedValueMatch } from '@meshrelay/plugin';
import type { Relation } from './relation.ts';

/**
 * The relation of the earlier list to the later one; all matches of a list must hold. `fold` normalises names: header
 * names are case-insensitive.
 */
export function ofNamedValues(
  earlier: readonly NamedValueMatch[],
  later: readonly NamedValueMatch[],
  fold: (name: string) => string,
): Relation {
  if (earlier.length === 0 && later.length === 0) return 'equal';
  const [first, second] = [plain(earlier, fold), plain(later, fold)];
  if (first.some((one) => second.some((other) => excludes(one, other)))) return 'disjoint';
  const covers = first.every((required) => second.some((given) => implies(given, required)));
  const within = second.every((required) => first.some((given) => implies(given, required)));
  if (covers && within) return 'equal';
  if (covers) return 'covers';
  const open = first.filter((required) => !second.some((given) => implies(given, required)));
  // A match and its inversion, on two earlier routes, would together leave nothing to a later route; expressions may
  // match everything.
  if (open.every(({ name, regex, invert }) => invert || (regex && second.some((given) => given.name === name))))
    return 'unknown';
  return within ? 'within' : 'crossing';
}

function plain(list: readonly NamedValueMatch[], fold: (name: string) => string): NamedValueMatch[] {
  return list.map((one) => ({ ...one, name: fold(one.name) }));
}

/** Whether every value that matches `given` also matches `required`, as far as that is decidable. */
function implies(given: NamedValueMatch, required: NamedValueMatch): boolean {
  if (given.name !== required.name) return false;
  const same = given.value === required.value && given.regex === required.regex && given.invert === required.invert;
  return same || (isPresence(required) && !given.invert);
}

/** Whether no value matches both. */
function excludes(one: NamedValueMatch, other: NamedValueMatch): boolean {
  if (one.name !== other.name || one.regex !== other.regex) return false;
  if (one.invert !== other.invert) return one.value === other.value;
  return !one.invert && !one.regex && one.value !== undefined && other.value !== undefined && one.value !== other.value;
}

function isPresence({ value, invert }: NamedValueMatch): boolean {
  return value === undefined && !invert;
}
