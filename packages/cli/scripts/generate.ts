// Writes docs/reference/cli.md and the man pages from the commands. `--check` only compares.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import process from 'node:process';
import { createProgram } from '../src/program.ts';
import { manPages } from './man-pages.ts';
import { referencePage } from './reference-page.ts';

const root = resolve(import.meta.dirname, '../../..');
const manuals = join(root, 'packages/cli/man');
const pages = manPages(createProgram());
const files = new Map([
  [join(root, 'docs/reference/cli.md'), referencePage(createProgram())],
  ...[...pages].map(([name, text]) => [join(manuals, name), text] as const),
]);
const stale = [...files.keys()].filter((path) => readIfThere(path) !== files.get(path));
const removed = readFolder(manuals).filter((name) => !pages.has(basename(name)));
if (!process.argv.includes('--check')) {
  for (const path of stale) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, files.get(path) ?? '');
  }
  for (const name of removed) rmSync(join(manuals, name));
} else if (stale.length + removed.length > 0) {
  const paths = [...stale, ...removed.map((name) => join(manuals, name))].map((path) => relative(root, path));
  process.stderr.write(`out of date: ${paths.join(', ')}\nrun: node packages/cli/scripts/generate.ts\n`);
  process.exitCode = 1;
}

function readIfThere(path: string): string | undefined {
  return ifThere(() => readFileSync(path, 'utf8'));
}

function readFolder(path: string): readonly string[] {
  return ifThere(() => readdirSync(path)) ?? [];
}

function ifThere<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
