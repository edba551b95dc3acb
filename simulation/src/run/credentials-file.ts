/** The credentials of all simulations, created once by a separate process and stored for as long as they are valid. */
import { execFile } from 'node:child_process';
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Credentials } from '../fleet/credentials.ts';

/**
 * Real milliseconds for which the file is used: long enough to debug a failure, short enough to follow changes of the
 * product.
 */
const GOOD = 3_600_000;
const FILE = join(tmpdir(), `meshrelay-simulation-credentials-${process.getuid?.() ?? 0}.json`);

export async function credentialsFile(): Promise<Credentials> {
  if (!isGood()) {
    const made = `${FILE}.${process.pid}`;
    writeFileSync(made, await makeOnPeer(), { mode: 0o600 });
    renameSync(made, FILE);
  }
  return JSON.parse(readFileSync(FILE, 'utf8')) as Credentials;
}

function isGood(): boolean {
  const found = statSync(FILE, { throwIfNoEntry: false });
  return found !== undefined && found.uid === (process.getuid?.() ?? 0) && Date.now() - found.mtimeMs < GOOD;
}

async function makeOnPeer(): Promise<string> {
  const file = fileURLToPath(new URL('./credentials-once.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [file], { maxBuffer: 1 << 24 });
  return stdout;
}
