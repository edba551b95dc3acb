/** A copy of the checkout, in which a release is built: the checkout itself never changes. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import process from 'node:process';

/** What a copy shares with its checkout: fetched programs and finished layers, named by what is in them. */
const SHARED_CACHES = ['tools', 'e2e', 'images'];
/** Folders that no commit has. */
const LEFT_OUT = new Set(['.cache', '.git', 'dist', 'node_modules']);

/** Copies the last commit with its history; outside git, all files. The copy has the locked dependencies installed. */
export function copyTree(root: string, folder: string): void {
  if (isRepository(root)) git(root, 'clone', '--quiet', '--shared', '.', folder);
  else cpSync(root, folder, { recursive: true, filter: (path) => !isLeftOut(relative(root, path)) });
  mkdirSync(join(folder, '.cache'), { recursive: true });
  for (const name of SHARED_CACHES) {
    mkdirSync(join(root, '.cache', name), { recursive: true });
    symlinkSync(join(root, '.cache', name), join(folder, '.cache', name));
  }
  const install = ['install', '--frozen-lockfile', '--prefer-offline', '--ignore-scripts', '--reporter=silent'];
  execFileSync('pnpm', install, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** Paths that differ from the last commit, which a copy therefore has not as they are. */
export function changedPaths(root: string): readonly string[] {
  if (!isRepository(root)) return [];
  const lines = git(root, 'status', '--porcelain').split('\n');
  return lines.filter((line) => line !== '').map((line) => line.slice(3));
}

/** Commits the version in a copy, at the time of the commit before: two builds of a commit are then the same. */
export function commitVersion(copy: string, version: string): void {
  if (!isRepository(copy)) return;
  const date = git(copy, 'show', '--no-patch', '--format=%cI').trim();
  const identity = [
    '-c',
    'user.name=Meshrelay',
    '-c',
    'user.email=release@meshrelay.dev',
    '-c',
    'commit.gpgSign=false',
  ];
  git(copy, 'add', '--all');
  execFileSync('git', [...identity, 'commit', '--quiet', '--no-verify', '--message', `chore: release ${version}`], {
    cwd: copy,
    env: { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

function isRepository(root: string): boolean {
  try {
    return git(root, 'rev-parse', '--show-cdup').trim() === '';
  } catch {
    return false;
  }
}

function isLeftOut(path: string): boolean {
  return path.split('/').some((part) => LEFT_OUT.has(part));
}

function git(folder: string, ...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}
