/** Finds data stored outside the repository (worked cases, conformance data), which a checkout may lack. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const root = resolve(process.env['MESHRELAY_SHARED'] ?? fileURLToPath(new URL('../../../../shared', import.meta.url)));

/**
 * The absolute path of a file or folder of the shared data, or undefined if this machine has none.
 * A test that gets undefined skips itself and prints `SKIPPED <what>` so that the runner can count it.
 */
export function sharedPath(...parts: readonly string[]): string | undefined {
  const path = resolve(root, ...parts);
  if (existsSync(path)) return path;
  console.log(`SKIPPED needs shared data: ${parts.join('/')}`);
  return undefined;
}
