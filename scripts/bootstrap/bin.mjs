// Shared code of every file in bin/: prepares the checkout, then runs the program.
import { join } from 'node:path';
import process from 'node:process';
import { bootstrap, reportFailure, root } from '../bootstrap.mjs';
import { launchProgram } from './launch.mjs';
import { runHere } from './program.mjs';

/**
 * Runs a program of the workspace with this process's arguments: in this process if its Node runs the sources.
 * @param {string} program the path of its entry, from the root of the checkout
 */
export async function runBin(program) {
  const ready = await bootstrap().catch(reportFailure);
  if (!ready) return;
  const main = join(root, program);
  const args = process.argv.slice(2);
  if (ready.node !== process.execPath) return launchProgram(ready, main, args);
  process.env.NODE_COMPILE_CACHE = ready.env.NODE_COMPILE_CACHE;
  return runHere(main, args);
}
