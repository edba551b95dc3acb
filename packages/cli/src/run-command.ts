/** Runs one command of meshctl. */
import { createProgram } from './program.ts';
import { runProgram } from './run-program.ts';

/** Sets the exit code: 0, 2 if a policy is not accepted, 1 for invalid input. Never throws. */
export function runCommand(words: readonly string[]): Promise<void> {
  return runProgram(createProgram(), words);
}
