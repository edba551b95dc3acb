/** What is wrong with what the user gave, said once and in full. */

/** Bad input: nothing was written. Its message is printed as it is, after `error: `, and the program ends with 1. */
export class InputError extends Error {
  override readonly name = 'InputError';
}

/** Several problems as one error, the first {@link MAX_SHOWN} of them. */
export function inputError(problems: readonly string[]): InputError {
  const shown = problems.slice(0, MAX_SHOWN);
  const more = problems.length - shown.length;
  return new InputError([...shown, ...(more > 0 ? [`and ${more} more`] : [])].join('\n'));
}

const MAX_SHOWN = 20;
