/**
 * `npm run release`: builds the next release into `dist/release`, in a copy of the checkout. With
 * `-- version`, it writes version and changelog into the checkout: see scripts/release/README.md.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { readChangesets } from './changesets.ts';
import { changedPaths, commitVersion, copyTree } from './copy-tree.ts';
import { setVersion, versionOf } from './set-version.ts';

const root = resolve(import.meta.dirname, '../..');
const USAGE = `usage: npm run release [-- --out FOLDER] [--only VERSION] [--without-images]
       npm run release -- version
`;

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      out: { type: 'string', default: join(root, 'dist/release') },
      only: { type: 'string' },
      'without-images': { type: 'boolean', default: false },
      help: { type: 'boolean' },
    },
  });
  if (values.help === true) process.stdout.write(USAGE);
  else if (positionals.length === 0) release({ ...values, withoutImages: values['without-images'] });
  else if (positionals.join(' ') === 'version')
    print(`${setVersion(root)}: read CHANGELOG.md, then commit the changes`);
  else throw new Error(`expected no argument, or version, found ${positionals.join(' ')}\n${USAGE}`);
} catch (error) {
  process.stderr.write(`release: ${(error as Error).message}\n`);
  process.exitCode = 1;
}

interface ReleaseOptions {
  /** The folder that the release replaces. */
  readonly out: string;
  /** Fails for any other version, and as long as there are changesets. */
  readonly only?: string | undefined;
  readonly withoutImages: boolean;
}

function release({ out, only, withoutImages }: ReleaseOptions): void {
  const pending = readChangesets(root).length;
  if (only !== undefined && (pending > 0 || versionOf(root) !== only))
    throw new Error(
      `expected version ${only} without changesets, found ${versionOf(root)} and ${pending} changesets; commit \`npm run release -- version\` first`,
    );
  const changed = changedPaths(root);
  if (changed.length > 0) print(`warning: not in the release, because not committed: ${changed.join(', ')}`);
  const folder = mkdtempSync(join(tmpdir(), 'meshrelay-release-'));
  try {
    const copy = join(folder, 'meshrelay');
    copyTree(root, copy);
    if (readChangesets(copy).length > 0) {
      commitVersion(copy, setVersion(copy));
      print(`a preview of ${versionOf(copy)}: its changesets are not consumed by a commit`);
    }
    const unfinished = `${resolve(out)}.unfinished`;
    rmSync(unfinished, { recursive: true, force: true });
    const args = ['scripts/release/assemble.ts', unfinished, ...(withoutImages ? ['--without-images'] : [])];
    execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], {
      cwd: copy,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    removeRelease(out);
    renameSync(unfinished, out);
    print(`${versionOf(copy)} is in ${resolve(out)}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @throws Error for a folder with other files */
function removeRelease(out: string): void {
  if (existsSync(out) && readdirSync(out).length > 0 && !existsSync(join(out, 'release.json')))
    throw new Error(`${out} contains something other than a release; give --out a folder that does not exist`);
  rmSync(out, { recursive: true, force: true });
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
