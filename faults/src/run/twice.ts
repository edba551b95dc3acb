/** A second try for what was only late: real processes have times to keep on a machine that may be busy with something else. */
import { isOnlyLate, type Violation } from './violation.ts';

interface Judged {
  readonly violations: readonly Violation[];
}

/**
 * Runs `all`, and once more those of them that violated nothing but times; whatever else was violated has failed, and stays so.
 * @param run gives one result for each, in order
 * @param again told what is run once more
 * @returns what counts: of those that were run twice, the second result
 */
export async function twice<T, R extends Judged>(
  all: readonly T[],
  run: (each: readonly T[]) => Promise<readonly R[]>,
  again: (late: readonly R[]) => void,
): Promise<readonly R[]> {
  const first = await run(all);
  const late = [...first.entries()].filter(([, { violations }]) => isOnlyLate(violations));
  if (late.length === 0) return first;
  again(late.map(([, result]) => result));
  const second = await run(late.map(([index]) => all[index] as T));
  const counts = new Map(late.map(([index], position) => [index, second[position] as R]));
  return first.map((result, index) => counts.get(index) ?? result);
}
