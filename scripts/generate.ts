/**
 * `npm run generate`: runs the generators of the packages and of the charts; with `--check` they only compare and fail
 * on a difference.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
// The charts come last: they contain the CRDs that packages/api generates.
const generators = [...readdirSync(join(root, 'packages')).map((name) => `packages/${name}`), 'charts']
  .map((folder) => `${folder}/scripts/generate.ts`)
  .filter((path) => existsSync(join(root, path)));

for (const generator of generators) {
  console.log(`${generator} ${process.argv.slice(2).join(' ')}`.trimEnd());
  const { status, error } = spawnSync(process.execPath, [...process.execArgv, generator, ...process.argv.slice(2)], {
    cwd: root,
    stdio: 'inherit',
  });
  if (error) throw error;
  if (status !== 0) process.exitCode = 1;
}
if (process.exitCode === 1) {
  console.error('What to do: run `npm run generate` and commit what it writes, in the commit that changed its source.');
}
