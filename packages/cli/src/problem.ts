/** Errors in the user's input, each reported once and completely. */

import { plain } from './output/plain.ts';

/** Invalid input: no output was written. meshctl prints its message after `error: `, and exits with 1. */
export class InputError extends Error {
  override readonly name = 'InputError';

  /** @param problems one, or a line for each; quoted text adds no lines */
  constructor(problems: string | readonly string[], options?: ErrorOptions) {
    const lines = typeof problems === 'string' ? [problems] : problems;
    super(lines.map(plain).join('\n'), options);
  }
}

/** The user ended the questions; nothing was written. meshctl exits as if Ctrl-C had ended it. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';

  constructor() {
    super('interrupted; nothing was written');
  }
}

/** Several problems as one error, the first {@link MAX_SHOWN} of them. */
export function inputError(problems: readonly string[]): InputError {
  const shown = problems.slice(0, MAX_SHOWN);
  const more = problems.length - shown.length;
  return new InputError([...shown, ...(more > 0 ? [`and ${more} more`] : [])]);
}

const MAX_SHOWN = 20;
