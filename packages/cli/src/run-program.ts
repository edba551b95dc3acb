/** Runs one command of a program. */
import process from 'node:process';
import { type Command, CommanderError } from 'commander';
import { refuseUnknownCommand, whereToLook } from './misuse.ts';
import { guardTerminal } from './output/terminal.ts';
import { InputError, Interrupted } from './problem.ts';

/** A shell's exit code for a process that Ctrl-C ended. */
const ENDED_BY_SIGINT = 130;

/** Sets the exit code: 0, 2 if a policy is not accepted, 1 for invalid input, 130 if the user ended questions. Never throws. */
export async function runProgram(program: Command, words: readonly string[]): Promise<void> {
  using _guard = guardTerminal();
  try {
    refuseUnknownCommand(program, words);
    if (words.length > 0) await program.parseAsync(words, { from: 'user' });
    else program.outputHelp();
  } catch (error) {
    process.exitCode = failure(error, program, words);
  }
}

/** Prints the error once, and returns the exit code. An internal error keeps its stack. */
function failure(error: unknown, program: Command, words: readonly string[]): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0;
    if (error.code === 'commander.help') return 1;
    const message = error.message.startsWith('error:') ? error.message : `error: ${error.message}`;
    process.stderr.write(`${message}${whereToLook(error, program, words)}\n`);
    return 1;
  }
  if (error instanceof InputError) {
    process.stderr.write(`error: ${error.message}\n`);
    return 1;
  }
  if (error instanceof Interrupted) {
    process.stderr.write(`${error.message}\n`);
    return ENDED_BY_SIGINT;
  }
  process.stderr.write(
    `error: meshctl failed, which is a bug; please report it with this output:\n${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  return 1;
}
