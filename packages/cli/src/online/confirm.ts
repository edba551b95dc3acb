/** Asks for confirmation before an irreversible action. */
import process from 'node:process';
import { createInterface } from 'node:readline/promises';
import { InputError } from '../problem.ts';

export interface Confirmation {
  /** The planned changes, as lines. */
  readonly lines: readonly string[];
  /** Such as `end the registration of east`. */
  readonly what: string;
  /** Whether the user has already confirmed with `--yes`. */
  readonly confirmed: boolean;
}

export interface Terminal {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream;
}

/** @throws InputError if the answer is not yes, or without a terminal */
export async function confirm(
  { lines, what, confirmed }: Confirmation,
  { input, output }: Terminal = { input: process.stdin, output: process.stderr },
): Promise<void> {
  if (confirmed) return;
  if (input.isTTY !== true)
    throw new InputError(`confirm to ${what} with --yes, because there is no terminal for a question`);
  output.write(`${lines.join('\n')}\n`);
  const prompt = createInterface({ input, output });
  // Ctrl-C and the end of the input are not an answer.
  const left = new Promise<string>((resolve) => void prompt.once('close', () => resolve('')));
  const answer = await Promise.race([prompt.question('Continue? Type yes: '), left]);
  prompt.close();
  if (answer.trim().toLowerCase() !== 'yes') throw new InputError('not confirmed; nothing was changed');
}
