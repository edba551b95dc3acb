/**
 * Runs single commands of meshctl in this process. A test of commands that load no mesh plugins uses this, so that a
 * change of a plugin does not run it.
 */
import { type AddCommand, programOf } from '../../src/program-of.ts';
import { runProgram } from '../../src/run-program.ts';
import { type Result, runHere } from './run-here.ts';

/** meshctl with these commands. */
export function meshctlWith(
  ...commands: readonly AddCommand[]
): (args: readonly string[], cwd: string, env?: NodeJS.ProcessEnv) => Promise<Result> {
  return (args, cwd, env) => runHere(() => runProgram(programOf(commands), args), cwd, env);
}
