/** Programs that tests fetch once, below `.cache/e2e`. */
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CACHE = fileURLToPath(new URL('../../../.cache/e2e', import.meta.url));

/** The folder of this name below the cache, where it was fetched before. */
export function fetchedBefore(name: string): string | undefined {
  const folder = join(CACHE, name);
  return existsSync(folder) ? folder : undefined;
}

/**
 * The folder of this name below the cache. Where it is missing, `fill` makes it: given a folder to work in, it returns the path in there
 * of what is to be kept. The result is whole or absent, whoever else fetches meanwhile.
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
    if (!existsSync(to)) throw error; // else somebody was faster, with the same files
  }
}
