// The pinned programs that a checkout installs itself: their versions, folders and packages.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import process from 'node:process';
import { BootstrapError, step } from './step.mjs';

/**
 * The oldest major version of Node that runs the TypeScript sources unmodified: it needs `using` and
 * AsyncDisposableStack, which exist from 24 on.
 */
const OLDEST_NODE_MAJOR = 24;

/**
 * @typedef {object} Tool
 * @property {string} name the program's name on PATH
 * @property {string} version exact
 * @property {string} npmPackage the npm package that is installed
 * @property {{ folder: string, prefix: string, path: string }} native where npm puts the native program: below
 *   node_modules, in `folder`, in the entry whose name is `prefix` and the platform's name, at `path`
 */

/** @type {Readonly<Record<'node' | 'pnpm' | 'deno', Tool>>} */
export const tools = {
  node: nodeTool('24.21.0'),
  pnpm: {
    name: 'pnpm',
    version: '12.21.0',
    npmPackage: 'pnpm',
    native: { folder: '@pnpm', prefix: 'exe.', path: 'pnpm' },
  },
  deno: { name: 'deno', version: '2.9.6', npmPackage: 'deno', native: { folder: '@deno', prefix: '', path: 'deno' } },
};

/**
 * Node itself, from npm.
 * @param {string} version exact
 * @returns {Tool}
 */
export function nodeTool(version) {
  const npmPackage = `node-${process.platform}-${process.arch}`;
  return { name: 'node', version, npmPackage, native: { folder: '', prefix: npmPackage, path: 'bin/node' } };
}

/**
 * Whether a Node of this version (such as `20.20.2`) can run the sources.
 * @param {string} nodeVersion
 * @returns {boolean}
 */
export function runsSources(nodeVersion) {
  return Number.parseInt(nodeVersion, 10) >= OLDEST_NODE_MAJOR;
}

/**
 * The folder of a tool for PATH.
 * @param {string} root
 * @param {Tool} tool
 */
export function binFolder(root, tool) {
  return join(root, '.cache', 'tools', `${tool.name}-${tool.version}`, 'bin');
}

/**
 * Whether a tool is already installed.
 * @param {string} root
 * @param {Tool} tool
 */
export function hasTool(root, tool) {
  return existsSync(join(binFolder(root, tool), tool.name));
}

/**
 * Installs a tool by npm into a separate folder. npm installs into a temporary folder, which is moved into place when
 * complete, so a killed run leaves nothing that looks finished. Install scripts stay off: the native program is linked
 * directly.
 * @param {string} root
 * @param {Tool} tool
 */
export async function installTool(root, tool) {
  const parent = join(root, '.cache', 'tools');
  mkdirSync(parent, { recursive: true });
  const unfinished = mkdtempSync(join(parent, '.unfinished-'));
  try {
    await step(
      `${tool.name} ${tool.version}`,
      'npm',
      [
        'install',
        `${tool.npmPackage}@${tool.version}`,
        '--prefix',
        unfinished,
        '--ignore-scripts',
        '--include=optional',
        '--no-audit',
        '--no-fund',
        '--no-update-notifier',
        '--loglevel=error',
        '--omit=dev',
      ],
      {
        cwd: unfinished,
        advice:
          'check that npm reaches its registry (npm ping) and that the disk has 500 MB free, then run the same command again',
      },
    );
    linkBinary(unfinished, tool);
    const folder = join(parent, `${tool.name}-${tool.version}`);
    rmSync(folder, { recursive: true, force: true });
    renameSync(unfinished, folder);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

/**
 * @param {string} folder
 * @param {Tool} tool
 */
function linkBinary(folder, tool) {
  const program = findNative(join(folder, 'node_modules'), tool);
  if (!program) {
    throw new BootstrapError(
      `${tool.npmPackage}@${tool.version} has no program for ${process.platform}-${process.arch}\n` +
        `What to do: use Linux or macOS on x64 or arm64, or put Node ${tools.node.version} on PATH yourself and install with pnpm ${tools.pnpm.version}`,
    );
  }
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  symlinkSync(relative(bin, program), join(bin, tool.name));
}

/**
 * @param {string} modules
 * @param {Tool} tool
 * @returns {string | undefined}
 */
function findNative(modules, { native: { folder, prefix, path } }) {
  const parent = join(modules, folder);
  if (!existsSync(parent)) return undefined;
  return readdirSync(parent)
    .filter((entry) => entry.startsWith(prefix))
    .map((entry) => join(parent, entry, path))
    .find((candidate) => existsSync(candidate));
}

/**
 * Removes the remains of killed installations. Call it only while holding the lock.
 * @param {string} root
 */
export function removeUnfinished(root) {
  const parent = join(root, '.cache', 'tools');
  if (!existsSync(parent)) return;
  for (const entry of readdirSync(parent)) {
    if (entry.startsWith('.unfinished-')) rmSync(join(parent, entry), { recursive: true, force: true });
  }
}
