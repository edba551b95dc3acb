// Shared code of every file in bin/: prepares the checkout, then runs the program.
import { join } from 'node:path';
import process from 'node:process';
import { bootstrap, reportFailure, root } from '../bootstrap.mjs';
import { launchProgram } from './launch.mjs';
import { runHere } from './program.mjs';

/** Builds the program, unless there is a build of the present sources, and runs it. */
const RUN = join(root, 'tools/programs/src/run.ts');

/**
 * Runs a program of the workspace with this process's arguments: in this process if its Node runs the sources.
 * @param {string} name one of tools/programs/src/programs.ts
 */
export async function runBin(name) {
  const ready = await bootstrap().catch(reportFailure);
  if (!ready) return;
  const args = [name, ...process.argv.slice(2)];
  if (ready.node !== process.execPath) return launchProgram(ready, RUN, args);
  process.env.NODE_COMPILE_CACHE = ready.env.NODE_COMPILE_CACHE;
  return runHere(RUN, args);
}
