// Judges regular expressions by RE2's syntax, since one that a proxy cannot compile makes it refuse a whole configuration.

/** What a token does to the scan. */
type Token = 'atom' | 'nothing' | 'open' | 'close' | 'alternative' | 'repeat';

/** What may stand between the brackets of a character class. */
const CLASS_ITEM = /\\(?:[aDdfnPprSstvWwx0]|[1-7](?=[0-7])|[^A-Za-z0-9])|\[:\^?\w+:\]|[^\]\\[]|\[(?!:\^?\w+:\])/;
/** Tokens of RE2 in the order they are tried; those with a problem end the scan. */
const TOKENS: readonly (readonly [Token, RegExp, problem?: string])[] = [
  ['atom', /\\Q[\s\S]*?(?:\\E|$)/y],
  ['atom', /\\[1-7](?![0-7])|\\[89]/y, 'is a back reference'],
  ['atom', /\\(?:[AaBbCDdfnPprSstvWwxz0-7]|[^A-Za-z0-9])/y],
  ['atom', /\\[A-Za-z]/y, 'is no known escape'],
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
/** The most times RE2 repeats anything. */
const MOST_REPEATS = 1000;

/**
 * What makes `pattern` unusable for RE2, or undefined. Finds look-around, back references, unbalanced groups and
 * classes, repetition of nothing and over-large counts; it refuses nothing that RE2 takes.
 */
export function re2Problem(pattern: string): string | undefined {
  let depth = 0;
  let repeated = false;
  let empty = true;
  for (let position = 0; position < pattern.length; ) {
    const { token, text, problem } = tokenAt(pattern, position);
    if (problem !== undefined) return `${text} ${problem}`;
    if (token === 'repeat') {
      if (empty || repeated) return `${text} repeats nothing`;
      const counts = (text.match(/\d+/g) ?? []).map(Number);
      if (Math.max(0, ...counts) > MOST_REPEATS) return `${text} repeats more than ${MOST_REPEATS} times`;
      if ((counts[0] ?? 0) > (counts[1] ?? MOST_REPEATS)) return `${text} counts down`;
    }
    if (token === 'open') depth += 1;
    if (token === 'close') depth -= 1;
    if (depth < 0) return ') has no (';
    repeated = token === 'repeat';
    if (token !== 'nothing') empty = token === 'open' || token === 'alternative';
    position += text.length;
  }
  return depth > 0 ? '( is never closed with )' : undefined;
}

function tokenAt(pattern: string, position: number): { token: Token; text: string; problem: string | undefined } {
  for (const [token, expression, problem] of TOKENS) {
    expression.lastIndex = position;
    const text = expression.exec(pattern)?.[0];
    if (text !== undefined) return { token, text, problem };
  }
  throw new RangeError(`no character at ${position}`);
}
