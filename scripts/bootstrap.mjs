// Prepares a checkout for running its programs: a Node that runs TypeScript, pnpm, the locked dependencies.
// Plain JavaScript without dependencies, because it runs before they are installed. Needs Node 18 and npm.
import { mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { dependenciesInstalled, installDependencies } from './bootstrap/dependencies.mjs';
import { withLock } from './bootstrap/lock.mjs';
import { BootstrapError, say } from './bootstrap/step.mjs';
import { binFolder, hasTool, installTool, removeUnfinished, runsSources, tools } from './bootstrap/tools.mjs';

/** The root of this checkout. */
export const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * @typedef {object} Ready
 * @property {string} node the Node that runs TypeScript sources; process.execPath if that one can
 * @property {NodeJS.ProcessEnv} env the environment for children: the tools first on PATH, compiled code cached
 */

/**
 * Installs everything that running from this checkout needs; takes a few milliseconds if it is already installed.
 * @param {{ deno?: boolean, dependencies?: boolean }} [options] `deno`: install Deno too; `dependencies`: false leaves
 * them unchanged
 * @returns {Promise<Ready>}
 * @throws {BootstrapError} naming the command that failed and what to do
 */
export async function bootstrap({ deno = false, dependencies = true } = {}) {
  const needed = [
    ...(runsSources(process.versions.node) ? [] : [tools.node]),
    tools.pnpm,
    ...(deno ? [tools.deno] : []),
  ];
  const env = environment(needed);
  if (!isReady(needed, dependencies)) {
    await withLock(join(root, '.cache', 'bootstrap.lock'), () => bring(needed, dependencies, env), {
      waiting: (owner) => say(`waiting for ${owner}, which is installing in this checkout`),
    });
  }
  const node = needed.includes(tools.node) ? join(binFolder(root, tools.node), 'node') : process.execPath;
  return { node, env };
}

/**
 * @param {readonly import('./bootstrap/tools.mjs').Tool[]} needed
 * @param {boolean} dependencies
 */
function isReady(needed, dependencies) {
  return needed.every((tool) => hasTool(root, tool)) && (!dependencies || dependenciesInstalled(root));
}

/**
 * Call it only while holding the lock. Checks each item again, because the previous holder may have installed it.
 * @param {readonly import('./bootstrap/tools.mjs').Tool[]} needed
 * @param {boolean} dependencies
 * @param {NodeJS.ProcessEnv} env
 */
async function bring(needed, dependencies, env) {
  removeUnfinished(root);
  for (const tool of needed) if (!hasTool(root, tool)) await installTool(root, tool);
  if (dependencies && !dependenciesInstalled(root)) await installDependencies(root, env);
}

/** @param {readonly import('./bootstrap/tools.mjs').Tool[]} needed */
function environment(needed) {
  const compileCache = process.env.NODE_COMPILE_CACHE ?? join(root, '.cache', 'compiled');
  const folders = [...needed.map((tool) => binFolder(root, tool)), join(root, 'node_modules', '.bin')];
  return {
    ...process.env,
    PATH: [...folders, process.env.PATH ?? ''].join(delimiter),
    NODE_COMPILE_CACHE: compileCache,
  };
}

/**
 * Reports a failed bootstrap and sets the exit code; any other error is a defect and is rethrown.
 * @param {unknown} error
 * @returns {undefined}
 */
export function reportFailure(error) {
  if (!(error instanceof BootstrapError)) throw error;
  say(error.message);
  process.exitCode = 1;
  return undefined;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  mkdirSync(join(root, '.cache'), { recursive: true });
  await bootstrap({ deno: process.argv.includes('--deno') }).then(() => say('ready'), reportFailure);
}
