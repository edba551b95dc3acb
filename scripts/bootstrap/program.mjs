// Runs a program of the workspace in this process; also the entry of a child process started by launch.mjs.
import module from 'node:module';
import { Socket } from 'node:net';
import process from 'node:process';
import { pathToFileURL } from 'node:url';

const GRACE_MILLISECONDS = 30_000;
/** Names the inherited pipe that closes when the parent process is gone. */
export const PARENT_PIPE = 'MESHRELAY_PARENT_PIPE';

/**
 * Imports a program as if it had been started directly. The program runs on import and ends the process itself.
 * @param {string} main absolute path
 * @param {readonly string[]} args
 */
export async function runHere(main, args) {
  process.argv = [process.execPath, main, ...args];
  hideExperimentalWarnings();
  module.enableCompileCache?.(process.env.NODE_COMPILE_CACHE);
  await import(pathToFileURL(main).href);
}

/**
 * Type stripping is the chosen way to run TypeScript (docs/adr/0002); older Nodes would warn about it in every
 * program's output.
 */
function hideExperimentalWarnings() {
  const shown = process.listeners('warning');
  process.removeAllListeners('warning');
  process.on('warning', (warning) => {
    if (warning.name !== 'ExperimentalWarning') for (const show of shown) show.call(process, warning);
  });
}

/** Ends this process, as SIGTERM would, when its parent is gone: a killed parent cannot pass on any signal. */
function endWithParent() {
  const descriptor = process.env[PARENT_PIPE];
  delete process.env[PARENT_PIPE]; // processes that the program starts watch their own parents
  if (descriptor === undefined) return;
  const pipe = new Socket({ fd: Number(descriptor), readable: true, writable: false });
  pipe.on('close', () => {
    process.kill(process.pid, 'SIGTERM');
    setTimeout(() => process.exit(1), GRACE_MILLISECONDS).unref();
  });
  pipe.on('error', () => {}); // 'close' follows
  pipe.resume();
  pipe.unref();
}

if (process.env[PARENT_PIPE] !== undefined) {
  endWithParent();
  const [main = '', ...args] = process.argv.slice(2);
  await runHere(main, args);
}
