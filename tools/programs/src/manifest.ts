/** The package.json of a build, from which a program knows its version and commit. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** All packages have the same version. `type` makes Node read the bundles as modules without parsing their text. */
export function manifestOf(root: string): string {
  const text = readFileSync(join(root, 'packages/host/package.json'), 'utf8');
  const { version, license } = JSON.parse(text) as { readonly version: string; readonly license: string };
  return `${JSON.stringify({ private: true, type: 'module', version, license, gitHead: commitOf(root) }, undefined, 2)}\n`;
}

/** The commit, with `-dirty` if files differ from it; `unknown` outside git. */
function commitOf(root: string): string {
  try {
    return execFileSync('git', ['describe', '--always', '--dirty', '--abbrev=40', '--exclude=*'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return 'unknown';
  }
}
