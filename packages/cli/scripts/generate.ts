// Writes docs/reference/cli.md from the commands. `--check` only compares.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import process from 'node:process';
import { createProgram } from '../src/program.ts';
import { referencePage } from './reference-page.ts';

const page = resolve(import.meta.dirname, '../../../docs/reference/cli.md');
const text = referencePage(createProgram());
if (!process.argv.includes('--check')) {
  mkdirSync(dirname(page), { recursive: true });
  writeFileSync(page, text);
} else if (readIfThere(page) !== text) {
  process.stderr.write('out of date: docs/reference/cli.md\nrun: node packages/cli/scripts/generate.ts\n');
  process.exitCode = 1;
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
