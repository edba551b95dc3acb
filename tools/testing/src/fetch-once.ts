/** Programs that tests fetch once, below `.cache/e2e`. */
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CACHE = fileURLToPath(new URL('../../../.cache/e2e', import.meta.url));

/** The folder of this name below the cache, if it was fetched before. */
export function fetchedBefore(name: string): string | undefined {
  const folder = join(CACHE, name);
  return existsSync(folder) ? folder : undefined;
}

/**
 * The folder of this name below the cache. If it is missing, `fill` creates it: `fill` gets a temporary folder and
 * returns the path in it to store. The result is complete or absent, even if other processes fetch at the same time.
 */
export async function fetchOnce(name: string, fill: (work: string) => Promise<string>): Promise<string> {
  const folder = join(CACHE, name);
  if (existsSync(folder)) return folder;
  mkdirSync(CACHE, { recursive: true });
  const work = mkdtempSync(join(CACHE, 'fetch-'));
  try {
    moveUnlessThere(await fill(work), folder);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return folder;
}

function moveUnlessThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!existsSync(to)) throw error; // else another process was faster, with the same files
  }
}
