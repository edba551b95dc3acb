/** Regular expressions with a limited run time, since callers choose the values that they are matched against. */

/** Values with more characters never match. */
const MAX_PATTERN_LENGTH = 512;
/** Maximum repetitions; with two of them on values of that length, a match takes far less than a millisecond. */
const REPEATS = 2;
/** Maximum groups and optional parts together: each may double the number of paths. */
const BRANCHES = 6;

/**
 * Why an expression is not allowed, or undefined. Proxies do not support look-around and back references. With nested
 * repetitions, or more than two, a caller could block the sink.
 */
export function patternProblem(pattern: string): string | undefined {
  try {
    new RegExp(`^(?:${pattern})$`, 'u');
  } catch (error) {
    return `is not a regular expression: ${(error as Error).message}`;
  }
  const bare = pattern
    .replace(/\\[\s\S]/g, (pair) => (/\d|k/.test(pair[1] ?? '') ? '\\1' : 'x'))
    .replace(/\[[^\]]*\]/g, 'x');
  if (bare.includes('\\1')) return 'has a back reference';
  if (/\(\?<?[=!]/.test(bare)) return 'has look-around';
  const repeats = bare.match(/[*+]|\{\d+,\d*\}/g) ?? [];
  if (repeats.length > REPEATS) return `repeats more than ${REPEATS} parts`;
  const plain = bare.replace(/\(\?:/g, '(');
  if ((plain.match(/[(?|]/g) ?? []).length > BRANCHES)
    return `has more than ${BRANCHES} groups, alternatives and optional parts`;
  if (repeats.length > 0 && /\)(?:[*+?]|\{)/.test(bare)) return 'repeats a group';
  return undefined;
}

/** Matches a whole value against an expression. @throws RangeError if the expression has a problem */
export function patternTest(pattern: string): (value: string) => boolean {
  const problem = patternProblem(pattern);
  if (problem !== undefined) throw new RangeError(`${pattern} ${problem}`);
  const expression = new RegExp(`^(?:${pattern})$`, 'u');
  return (value) => value.length <= MAX_PATTERN_LENGTH && expression.test(value);
}
