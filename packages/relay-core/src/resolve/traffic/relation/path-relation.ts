/** The relation of the paths of two matchers. Regular expressions are not analysed. */

import type { StringMatchView } from '@meshrelay/plugin';
import { deepEqual } from '../../../graph/deep-equal.ts';
import type { Relation } from './relation.ts';

type Part = 'exact' | 'prefix' | 'suffix';

/** The relation of the earlier match to the later one; undefined matches every path. */
export function ofPaths(earlier: StringMatchView | undefined, later: StringMatchView | undefined): Relation {
  if (earlier === undefined) return later === undefined ? 'equal' : 'covers';
  if (later === undefined) return 'within';
  if ('regex' in earlier || 'regex' in later) return ofRegexes(earlier, later);
  const covers = takesAll(earlier, later);
  const within = takesAll(later, earlier);
  if (covers && within) return 'equal';
  if (covers) return 'covers';
  if (within) return 'within';
  return areDisjoint(earlier, later) ? 'disjoint' : 'crossing';
}

function ofRegexes(earlier: StringMatchView, later: StringMatchView): Relation {
  if (deepEqual(earlier, later)) return 'equal';
  if (startApart(earlier, later)) return 'disjoint';
  // One path may match an expression, and is hardly all of its matches.
  return 'exact' in earlier ? 'crossing' : 'unknown';
}

/** Whether no path has both required beginnings. */
function startApart(a: StringMatchView, b: StringMatchView): boolean {
  const ignoreCase = a.ignoreCase || b.ignoreCase;
  const [one, other] = [a, b].map((match) => {
    const start = 'suffix' in match ? '' : 'regex' in match ? literalStart(match.regex) : textOf(match);
    return ignoreCase ? start.toLowerCase() : start;
  }) as [string, string];
  if ('exact' in a) return !one.startsWith(other);
  if ('exact' in b) return !other.startsWith(one);
  return !one.startsWith(other) && !other.startsWith(one);
}

/** The literal prefix of every text that matches a regular expression, as far as plain characters show it. */
function literalStart(regex: string): string {
  if (regex.includes('|') || regex.includes('(?')) return '';
  const plain = /^[A-Za-z0-9/_~%-]*/.exec(regex)?.[0] ?? '';
  return /^[?*+{]/.test(regex.slice(plain.length)) ? plain.slice(0, -1) : plain;
}

/** Whether the wide match takes every path of the narrow one. */
function takesAll(wide: StringMatchView, narrow: StringMatchView): boolean {
  if (narrow.ignoreCase && !wide.ignoreCase && hasLetters(textOf(narrow))) return false;
  const [required, given] = [folded(wide, wide.ignoreCase), folded(narrow, wide.ignoreCase)];
  switch (kindOf(wide)) {
    case 'exact':
      return kindOf(narrow) === 'exact' && given === required;
    case 'prefix':
      return kindOf(narrow) !== 'suffix' && given.startsWith(required);
    case 'suffix':
      return kindOf(narrow) !== 'prefix' && given.endsWith(required);
  }
}

/** Whether no path matches both, if neither match covers the other. */
function areDisjoint(a: StringMatchView, b: StringMatchView): boolean {
  const ignoreCase = a.ignoreCase || b.ignoreCase;
  const [one, other] = [folded(a, ignoreCase), folded(b, ignoreCase)];
  const [kind, otherKind] = [kindOf(a), kindOf(b)];
  if (kind === 'exact' && otherKind === 'exact') return one !== other;
  if (kind === 'prefix' && otherKind === 'prefix') return !one.startsWith(other) && !other.startsWith(one);
  if (kind === 'suffix' && otherKind === 'suffix') return !one.endsWith(other) && !other.endsWith(one);
  if (kind === 'exact') return otherKind === 'prefix' ? !one.startsWith(other) : !one.endsWith(other);
  if (otherKind === 'exact') return kind === 'prefix' ? !other.startsWith(one) : !other.endsWith(one);
  return false;
}

function folded(match: StringMatchView, ignoreCase: boolean): string {
  return ignoreCase ? textOf(match).toLowerCase() : textOf(match);
}

function hasLetters(text: string): boolean {
  return text.toLowerCase() !== text.toUpperCase();
}

/** Callers never pass expressions. */
function kindOf(match: StringMatchView): Part {
  if ('exact' in match) return 'exact';
  return 'prefix' in match ? 'prefix' : 'suffix';
}

function textOf(match: StringMatchView): string {
  if ('exact' in match) return match.exact;
  if ('prefix' in match) return match.prefix;
  return 'suffix' in match ? match.suffix : match.regex;
}
