// The locked dependencies: pnpm installs them when the lockfile differs from the installed one.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { step } from './step.mjs';
import { tools } from './tools.mjs';

const INPUTS = ['pnpm-lock.yaml', 'pnpm-workspace.yaml'];
/** Lives inside node_modules so that removing node_modules removes it too. */
const STAMP = 'node_modules/.meshrelay-installed.json';

/**
 * Whether the installed dependencies match the lockfile, as far as a few milliseconds allow to check.
 * @param {string} root
 * @returns {boolean}
 */
export function dependenciesInstalled(root) {
  /** @type {{ hash: string, folders: string[] }} */
  let stamp;
  try {
    stamp = JSON.parse(readFileSync(join(root, STAMP), 'utf8'));
  } catch {
    return false; // never installed, or an unreadable stamp: install
  }
  return stamp.hash === hashOfInputs(root) && stamp.folders.every((folder) => existsSync(join(root, folder)));
}

/**
 * Installs exactly the dependencies of the lockfile.
 * @param {string} root
 * @param {NodeJS.ProcessEnv} env with pnpm and a suitable Node on PATH
 */
export async function installDependencies(root, env) {
  const hash = hashOfInputs(root);
  await step(
    'dependencies',
    'pnpm',
    [
      'install',
      '--frozen-lockfile',
      '--prefer-offline',
      '--reporter=append-only',
      '--config.confirmModulesPurge=false',
    ],
    {
      cwd: root,
      env,
      advice:
        'when the lockfile is outdated, run `npm run pnpm -- install` and commit pnpm-lock.yaml; otherwise check that the ' +
        'registry can be reached, remove node_modules and run the same command again',
    },
  );
  writeFileSync(join(root, STAMP), `${JSON.stringify({ hash, folders: moduleFolders(root) })}\n`);
}

/** @param {string} root */
function hashOfInputs(root) {
  const hash = createHash('sha256').update(`pnpm ${tools.pnpm.version} ${process.platform} ${process.arch}`);
  for (const input of INPUTS) hash.update(`\n${input}\n`).update(readFileSync(join(root, input)));
  return hash.digest('hex');
}

/**
 * The node_modules folder of each workspace package that has one.
 * @param {string} root
 */
function moduleFolders(root) {
  return ['packages', 'tools']
    .filter((group) => existsSync(join(root, group)))
    .flatMap((group) => readdirSync(join(root, group)).map((name) => `${group}/${name}/node_modules`))
    .filter((folder) => existsSync(join(root, folder)));
}
