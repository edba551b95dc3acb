/** meshctl: the program. Exits 0, 2 where a policy is not accepted, 1 on bad input. */
import process from 'node:process';
import { CommanderError } from 'commander';
import { whereToLook } from './misuse.ts';
import { InputError } from './problem.ts';
import { createProgram } from './program.ts';

try {
  const program = createProgram();
  if (process.argv.length > 2) await program.parseAsync(process.argv);
  else program.outputHelp();
} catch (error) {
  process.exitCode = failure(error);
}

/** Says what went wrong, once, and gives the exit code. A fault of ours keeps its stack. */
function failure(error: unknown): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0;
    if (error.code === 'commander.help') return 1;
    const message = error.message.startsWith('error:') ? error.message : `error: ${error.message}`;
    process.stderr.write(`${message}${whereToLook(error, process.argv.slice(2))}\n`);
    return 1;
  }
  if (error instanceof InputError) {
    process.stderr.write(`error: ${error.message}\n`);
    return 1;
  }
  process.stderr.write(
    `error: meshctl failed, which is a fault of its own; please report it with what follows\n${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  return 1;
}
