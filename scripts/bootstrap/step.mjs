// One step of the bootstrap: a command with its progress on stderr, and a failure message with the next action.
import { spawn } from 'node:child_process';
import process from 'node:process';

const REMINDER_MILLISECONDS = 15_000;
const SHOWN_LINES = 25;

/** A failure that the user can fix: shown without a stack. */
export class BootstrapError extends Error {}

/**
 * Writes one line of progress to stderr; stdout belongs to the program that runs afterwards.
 * @param {string} line
 */
export function say(line) {
  process.stderr.write(`bootstrap: ${line}\n`);
}

/**
 * Runs a command quietly; its output is shown only if it fails.
 * @param {string} title what the step installs, for the progress lines
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv, advice: string }} options `advice`: what to do if it fails
 * @returns {Promise<void>}
 */
export async function step(title, command, args, { cwd, env = process.env, advice }) {
  const start = Date.now();
  const seconds = () => `${((Date.now() - start) / 1000).toFixed(1)} s`;
  say(`${title} ...`);
  const reminder = setInterval(() => say(`${title}: still running after ${seconds()}`), REMINDER_MILLISECONDS);
  const { failure, output } = await run(command, args, cwd, env).finally(() => clearInterval(reminder));
  if (failure === undefined) return say(`${title}: done in ${seconds()}`);
  const tail = output.trimEnd().split('\n').slice(-SHOWN_LINES).join('\n');
  throw new BootstrapError(
    `${title} failed after ${seconds()}: ${failure}\n  command: ${[command, ...args].join(' ')}\n  folder:  ${cwd}\n` +
      `${tail === '' ? '' : `${tail}\n`}What to do: ${advice}`,
  );
}

/**
 * Resolves with the failure, if any, and the complete output of the command.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {string} cwd
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<{ failure: string | undefined, output: string }>}
 */
function run(command, args, cwd, env) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text;
      });
    }
    child.on('error', (/** @type {NodeJS.ErrnoException} */ error) =>
      resolve({ failure: error.code === 'ENOENT' ? `${command} was not found on PATH` : error.message, output }),
    );
    child.on('close', (code, signal) =>
      resolve({ failure: code === 0 ? undefined : signal ? `killed by ${signal}` : `exit code ${code}`, output }),
    );
  });
}
