// Starts a child process that replaces this one: same input and output, same signals, same end.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { PARENT_PIPE } from './program.mjs';
import { BootstrapError } from './step.mjs';

/** @type {readonly NodeJS.Signals[]} */
const PASSED_ON = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2'];
/**
 * npm passes on the Ctrl-C that the terminal has already sent to the whole group: the second one does not count as
 * another request.
 */
const SAME_SIGNAL_MILLISECONDS = 250;

/**
 * Runs a TypeScript program under a Node that can.
 * @param {import('../bootstrap.mjs').Ready} ready
 * @param {string} main absolute path
 * @param {readonly string[]} args
 * @returns {Promise<void>} when the child has ended; this process then ends the same way
 */
export function launchProgram(ready, main, args) {
  const entry = fileURLToPath(new URL('program.mjs', import.meta.url));
  const env = { ...ready.env, [PARENT_PIPE]: '3' };
  return launch(ready.node, ['--disable-warning=ExperimentalWarning', entry, main, ...args], env);
}

/**
 * Runs a command in its own process group, so that a Ctrl-C in the terminal reaches it once, through this process.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<void>}
 */
export function launch(command, args, env) {
  return new Promise((resolve, reject) => {
    const lastSent = new Map();
    /** @type {import('node:child_process').ChildProcess | undefined} */
    let child;
    /** @param {NodeJS.Signals} signal */
    const passOn = (signal) => {
      const now = Date.now();
      if (now - (lastSent.get(signal) ?? 0) < SAME_SIGNAL_MILLISECONDS) return;
      lastSent.set(signal, now);
      child?.kill(signal);
    };
    for (const signal of PASSED_ON) process.on(signal, passOn);
    child = spawn(command, args, { env, detached: true, stdio: ['inherit', 'inherit', 'inherit', 'pipe'] });
    child.on('error', (error) => reject(new BootstrapError(`cannot start ${command}: ${error.message}`)));
    child.on('exit', (code, signal) => {
      for (const each of PASSED_ON) process.off(each, passOn);
      if (signal) endBy(signal);
      else process.exitCode = code ?? 1;
      child?.stdio[3]?.destroy();
      resolve();
    });
  });
}

/**
 * Ends this process by the signal that ended the child, so that the parent observes the same.
 * @param {NodeJS.Signals} signal
 */
function endBy(signal) {
  process.exitCode = 128 + (constants.signals[signal] ?? 0);
  process.kill(process.pid, signal);
}
