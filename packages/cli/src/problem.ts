/** What is wrong with what the user gave, said once and in full. */

import { plain } from './output/plain.ts';

/** Bad input: nothing was written. Its message is printed after `error: `, and the program ends with 1. */
export class InputError extends Error {
  override readonly name = 'InputError';

  /** @param problems one, or a line for each; what they quote makes no lines of its own */
  constructor(problems: string | readonly string[], options?: ErrorOptions) {
    const lines = typeof problems === 'string' ? [problems] : problems;
    super(lines.map(plain).join('\n'), options);
  }
}

/** Several problems as one error, the first {@link MAX_SHOWN} of them. */
export function inputError(problems: readonly string[]): InputError {
  const shown = problems.slice(0, MAX_SHOWN);
  const more = problems.length - shown.length;
  return new InputError([...shown, ...(more > 0 ? [`and ${more} more`] : [])]);
}

const MAX_SHOWN = 20;
