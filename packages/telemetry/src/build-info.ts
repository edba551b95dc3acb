/** Which version of a program runs: for `--version` and support. */
import { readFileSync } from 'node:fs';
import process from 'node:process';

export interface BuildInfo {
  readonly version: string;
  /** The commit that the program was built from; `-dirty` follows if files differed from it. */
  readonly commit: string;
}

/** From the package.json of the build, see tools/programs. A program that runs from TypeScript has none. */
export function buildInfo(): BuildInfo {
  try {
    const text = readFileSync(new URL('package.json', import.meta.url), 'utf8');
    const { version, gitHead } = JSON.parse(text) as { readonly version: string; readonly gitHead: string };
    return { version, commit: gitHead };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return { version: '0.0.0', commit: 'unknown: this program runs from its sources' };
  }
}

/** The output of `--version`. @param contracts versions of what the program and others agree on, such as the API */
export function versionText(name: string, contracts: Readonly<Record<string, string | number>> = {}): string {
  const { version, commit } = buildInfo();
  const lines = { [name]: version, commit, ...contracts, node: process.versions.node };
  return Object.entries(lines)
    .map(([what, value]) => `${what} ${value}\n`)
    .join('');
}
