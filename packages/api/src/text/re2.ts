// Checks regular expressions against RE2's syntax: a proxy that cannot compile one rejects its whole configuration.
import { UNICODE_GROUPS } from './unicode-groups.ts';

/** Effect of a token on the scan. */
type Token = 'atom' | 'nothing' | 'open' | 'close' | 'alternative' | 'repeat';

/** A group of Unicode characters by its name. */
const GROUP = /\\[Pp](?:\{[^}]*\}|[^{])/;
/** Tokens allowed between the brackets of a character class. */
const CLASS_ITEM =
  /\\[Pp](?:\{[^}]*\}|[^{])|\\(?:[aDdfnrSstvWwx0]|[1-7](?=[0-7])|[^A-Za-z0-9])|\[:\^?\w+:\]|[^\]\\[]|\[(?!:\^?\w+:\])/;
/** Tokens of RE2 in the order they are tried; those with a problem end the scan. */
const TOKENS: readonly (readonly [Token, RegExp, problem?: string])[] = [
  ['atom', /\\Q[\s\S]*?(?:\\E|$)/y],
  ['atom', /\\[1-7](?![0-7])|\\[89]/y, 'is a back reference'],
  ['atom', new RegExp(GROUP.source, 'y')],
  ['atom', /\\[Pp]/y, 'names no group of Unicode characters'],
  ['atom', /\\(?:[AaBbCDdfnrSstvWwxz0-7]|[^A-Za-z0-9])/y],
  ['atom', /\\[A-Za-z]/y, 'is not a known escape'],
  ['atom', /\\/y, 'at the end escapes nothing'],
  ['atom', new RegExp(`\\[(?:\\^\\]|\\]|\\^(?!\\])|(?![\\]^]))(?:${CLASS_ITEM.source})*\\]`, 'y')],
  ['atom', /\[/y, 'opens a character class that is wrong or never closed with ]'],
  ['nothing', /\(\?[imsU-]+\)/y],
  ['open', /\(\?(?:P?<\w+>|[imsU-]*:)/y],
  ['open', /\(\?<?[=!]/y, 'is look-around'],
  ['open', /\(\?/y, 'opens an unknown kind of group'],
  ['open', /\(/y],
  ['close', /\)/y],
  ['alternative', /\|/y],
  ['repeat', /(?:[*+?]|\{\d+(?:,\d*)?\})\??/y],
  ['atom', /[\s\S]/y],
];
/** RE2's maximum repeat count. */
const MAX_REPEATS = 1000;

/** One character in a class, in any notation. */
const CHARACTER = /\\x\{[0-9A-Fa-f]+\}|\\x[0-9A-Fa-f]{2}|\\[0-7]{1,3}|\\[^A-Za-z1-9]|\\[afnrtv]|[^\\]/;
/** A range of two of them, and all other tokens of a class. */
const RANGE_OR_ITEM = new RegExp(
  `\\[:\\^?\\w+:\\]|(${CHARACTER.source})-(${CHARACTER.source})|${GROUP.source}|${CHARACTER.source}|\\\\?[\\s\\S]`,
  'gu',
);

/**
 * Why `pattern` is invalid for RE2, or undefined. Finds look-around, back references, unbalanced groups and classes,
 * reversed ranges, unknown groups of Unicode characters, repetition of nothing and too large counts. It rejects nothing
 * that RE2 accepts, except a range that ends with the bracket of a named class, as in `[!-[:alpha:]`.
 */
export function re2Problem(pattern: string): string | undefined {
  /** For each open group, and the whole: how often its content is repeated. */
  const groups = [1];
  let last = 1;
  let repeated = false;
  let empty = true;
  for (let position = 0; position < pattern.length; ) {
    const { token, text, problem } = tokenAt(pattern, position);
    if (problem !== undefined) return `${text} ${problem}`;
    if (token === 'repeat') {
      if (empty || repeated) return `${text} repeats nothing`;
      const counts = (text.match(/\d+/g) ?? []).map(Number);
      if (Math.max(0, ...counts) > MAX_REPEATS) return `${text} repeats more than ${MAX_REPEATS} times`;
      if ((counts[0] ?? 0) > (counts[1] ?? MAX_REPEATS)) return `${text} counts down`;
      last *= (counts[1] ?? counts[0]) || 1;
      if (last > MAX_REPEATS) return `${text} repeats, with the repetitions in it, more than ${MAX_REPEATS} times`;
    } else {
      const wrong = token === 'atom' ? atomProblem(text) : undefined;
      if (wrong !== undefined) return wrong;
      last = 1;
    }
    if (token === 'open') groups.push(1);
    else if (token === 'close') {
      last = groups.pop() ?? 1;
      if (groups.length === 0) return ') has no (';
    }
    groups.push(Math.max(groups.pop() ?? 1, last));
    repeated = token === 'repeat';
    if (token !== 'nothing') empty = token === 'open' || token === 'alternative';
    position += text.length;
  }
  return groups.length > 1 ? '( is never closed with )' : undefined;
}

/** The fault of a group of Unicode characters, or of a token in a character class. */
function atomProblem(text: string): string | undefined {
  if (!text.startsWith('[')) return groupProblem(text);
  for (const [item, from, to] of text.slice(1, -1).replace(/^\^/, '').matchAll(RANGE_OR_ITEM)) {
    const [first, last] = [codeOf(from), codeOf(to)];
    if (first !== undefined && last !== undefined && first > last) return `${item} runs backwards`;
    const problem = groupProblem(item);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** The fault of a group name that RE2 does not know; undefined for tokens without a group name. */
function groupProblem(text: string): string | undefined {
  const [, braced, single] = /^\\[Pp](?:\{\^?([^}]*)\}|([^{]))$/.exec(text) ?? [];
  const name = braced ?? single;
  if (name === undefined || UNICODE_GROUPS.has(name)) return undefined;
  return `${text} names no group of Unicode characters; use general categories such as \\p{Lu} and scripts such as \\p{Greek}`;
}

const CONTROLS: Readonly<Record<string, number>> = { a: 7, f: 12, n: 10, r: 13, t: 9, v: 11 };

/** The code point of a character in one of these notations. */
function codeOf(character: string | undefined): number | undefined {
  if (character === undefined || !character.startsWith('\\')) return character?.codePointAt(0);
  const escaped = character.slice(1);
  if (escaped.startsWith('x')) return Number.parseInt(escaped.replace(/[x{}]/g, ''), 16);
  if (/^[0-7]/.test(escaped)) return Number.parseInt(escaped, 8);
  return CONTROLS[escaped] ?? escaped.codePointAt(0);
}

function tokenAt(pattern: string, position: number): { token: Token; text: string; problem: string | undefined } {
  for (const [token, expression, problem] of TOKENS) {
    expression.lastIndex = position;
    const text = expression.exec(pattern)?.[0];
    if (text !== undefined) return { token, text, problem };
  }
  throw new RangeError(`no character at ${position}`);
}
