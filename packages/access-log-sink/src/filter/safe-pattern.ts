/** Regular expressions that cannot be made to run long: callers choose the values they are tried on. */

/** Longer values, in characters, meet no expression. */
const MAX_PATTERN_LENGTH = 512;
/** Repetitions; with two of them on values of that length, trying takes well under a millisecond. */
const REPEATS = 2;
/** Groups and optional parts together: each may double the ways to try. */
const BRANCHES = 6;

/**
 * What makes an expression unfit, or undefined. Look-around and back references are what no proxy knows; a repetition within a repetition,
 * and more than two, are what a caller could hold up the sink with.
 */
export function patternProblem(pattern: string): string | undefined {
  try {
    new RegExp(`^(?:${pattern})$`, 'u');
  } catch (error) {
    return `is no regular expression: ${(error as Error).message}`;
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

/** Whether the whole of a value meets an expression. @throws RangeError on one that has a problem */
export function patternTest(pattern: string): (value: string) => boolean {
  const problem = patternProblem(pattern);
  if (problem !== undefined) throw new RangeError(`${pattern} ${problem}`);
  const expression = new RegExp(`^(?:${pattern})$`, 'u');
  return (value) => value.length <= MAX_PATTERN_LENGTH && expression.test(value);
}
