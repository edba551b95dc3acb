/** A project of a user: a folder with no workspace near it, into which the tarballs are installed. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface Consumer {
  readonly root: string;
  /** The new folder of the project. */
  readonly folder: string;
  readonly registry: string;
  /** What it depends on, with ranges. */
  readonly dependencies: Readonly<Record<string, string>>;
}

export type Installer = 'npm' | 'pnpm';

const INSTALL: Readonly<Record<Installer, readonly string[]>> = {
  npm: ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--no-update-notifier'],
  pnpm: ['install', '--ignore-scripts', '--no-lockfile'],
};

/** A package finds only what its package.json names. */
const PNPM_SETTINGS = { hoist: false };

/**
 * Writes the project and installs what it depends on.
 * @throws Error with the installer's messages
 */
export async function install(installer: Installer, { root, folder, registry, dependencies }: Consumer): Promise<void> {
  mkdirSync(folder, { recursive: true });
  cpSync(join(root, 'scripts/packages/fixtures/consumer'), folder, { recursive: true });
  cpSync(join(root, 'docs/tasks/fleet'), join(folder, 'fleet'), { recursive: true });
  const manifest = { name: 'consumer', private: true, type: 'module', dependencies };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, '.npmrc'), `@meshrelay:registry=${registry}/\n`);
  if (installer === 'pnpm') writeFileSync(join(folder, 'pnpm-workspace.yaml'), JSON.stringify(PNPM_SETTINGS));
  try {
    await run(installer, INSTALL[installer], { cwd: folder });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { readonly stdout?: string; readonly stderr?: string };
    throw new Error(`${installer} cannot install the tarballs:\n${stdout}${stderr}`, { cause: error });
  }
}
