/** The step from changesets to a version: in package.json, jsr.json, the charts and the changelog. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { writeJsrManifests } from '../packages/jsr.ts';
import { releaseNotes, withRelease } from './changelog.ts';
import { readChangesets } from './changesets.ts';

/**
 * Consumes the changesets of a checkout.
 * @returns the new version
 * @throws Error without changesets, or with the messages of `changeset version`
 */
export function setVersion(root: string): string {
  const changesets = readChangesets(root);
  if (changesets.length === 0)
    throw new Error(`${root}/.changeset has no changesets; describe a change by \`npm run changeset\``);
  run(root, join(root, 'node_modules/.bin/changeset'), 'version');
  writeJsrManifests(root);
  run(root, process.execPath, 'charts/scripts/generate.ts');
  const version = versionOf(root);
  const changelog = join(root, 'CHANGELOG.md');
  const before = existsSync(changelog) ? readFileSync(changelog, 'utf8') : undefined;
  writeFileSync(changelog, withRelease(before, version, releaseNotes(changesets)));
  return version;
}

/** The version of all packages but the contract, and of charts and images. */
export function versionOf(root: string): string {
  const { version } = JSON.parse(readFileSync(join(root, 'charts/package.json'), 'utf8')) as {
    readonly version: string;
  };
  return version;
}

/** @throws Error with the output of the program, if it fails */
function run(root: string, program: string, ...args: readonly string[]): void {
  execFileSync(program, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
}
