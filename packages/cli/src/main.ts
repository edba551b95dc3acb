#!/usr/bin/env node
/** meshctl: the program. */
import process from 'node:process';
import { runCommand } from './run-command.ts';

/** A shell's exit code for a process that SIGPIPE ended; Node ignores that signal and reports an error instead. */
const ENDED_BY_SIGPIPE = 141;

for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(ENDED_BY_SIGPIPE);
  });
}
await runCommand(process.argv.slice(2));
