/** What a build was made of, and whether that is still the same. */
import { createHash } from 'node:crypto';
import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { BUNDLER } from './bundle.ts';

/** Decide which files an import by name leads to, and which versions of libraries are installed. */
const RESOLUTION = ['package.json', '{packages,tools}/*/package.json', 'pnpm-lock.yaml'];

/**
 * A hash of the text of these files and of all that decides how they are bundled; undefined if one of them is gone.
 * Of installed libraries, whose versions are in the lockfile and in the paths, only size and time count.
 * @param files as paths from the root
 */
export function hashOfInputs(root: string, files: readonly string[]): string | undefined {
  const hash = createHash('sha256').update(`${BUNDLER}\0${process.platform}-${process.arch}\0`);
  const own = files.filter((file) => !isInstalled(file));
  try {
    for (const file of [...globSync(RESOLUTION, { cwd: root }), ...own].sort())
      hash
        .update(`${file}\0`)
        .update(readFileSync(join(root, file)))
        .update('\0');
    for (const file of files.filter(isInstalled).sort()) {
      const { size, mtimeMs } = statSync(join(root, file));
      hash.update(`${file}\0${size} ${mtimeMs}\0`);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  return hash.digest('hex').slice(0, 16);
}

function isInstalled(file: string): boolean {
  return /(^|\/)node_modules\//.test(file);
}
