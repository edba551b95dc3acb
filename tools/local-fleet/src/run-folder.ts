/**
 * The folder of a fleet on this machine: holds kubeconfigs, configurations and logs while the fleet runs, and is
 * deleted afterwards.
 */
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { stringify } from 'yaml';

const CACHE = join(import.meta.dirname, '../../../.cache');
/** Names the process that owns a folder. */
const OWNER_FILE = 'pid';

export class RunFolder implements Disposable {
  readonly path: string;
  readonly #name: string;

  /**
   * Creates `.cache/NAME`, or another folder if a running process owns that name. Removes the folders of killed runs.
   */
  constructor(name: string, cache: string = CACHE) {
    this.#name = name;
    mkdirSync(cache, { recursive: true });
    removeAbandoned(cache, name);
    this.path = makeFolder(cache, name);
  }

  /** Writes a file that other users cannot read, because kubeconfigs hold credentials. */
  write(name: string, text: string): string {
    const path = join(this.path, name);
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  }

  /** Writes a file atomically: readers get either the previous content or the new one. */
  replace(name: string, text: string): string {
    const path = join(this.path, name);
    renameSync(this.write(`${name}.new`, text), path);
    return path;
  }

  /** Writes a program's configuration. */
  writeConfig(name: string, config: object): string {
    return this.write(`${name}.yaml`, stringify(config));
  }

  logFile(name: string): string {
    return join(this.path, `${name}.log`);
  }

  /** Copies the logs to a folder that outlives the run, for debugging a failure. Returns the folder. */
  keepLogs(): string {
    const retained = join(dirname(this.path), `${this.#name}-failed`);
    rmSync(retained, { recursive: true, force: true });
    mkdirSync(retained, { mode: 0o700 });
    for (const name of readdirSync(this.path)) {
      if (name.endsWith('.log')) copyFileSync(join(this.path, name), join(retained, name));
    }
    return retained;
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** Created under a temporary name and then renamed, so the folder never exists without naming its owner. */
function makeFolder(cache: string, name: string): string {
  const own = mkdtempSync(join(cache, `${name}-${process.pid}-`));
  writeFileSync(join(own, OWNER_FILE), String(process.pid));
  const shared = join(cache, name);
  try {
    renameSync(own, shared);
    return shared;
  } catch (error) {
    if (!isCode(error, 'ENOTEMPTY') && !isCode(error, 'EEXIST')) throw error;
    return own;
  }
}

function removeAbandoned(cache: string, name: string): void {
  for (const entry of readdirSync(cache)) {
    const own = /^-(\d+)-\w+$/.exec(entry.slice(name.length));
    if (entry !== name && !(entry.startsWith(name) && own !== null)) continue;
    const owner = own === null ? ownerOf(join(cache, entry)) : Number(own[1]);
    if (owner === undefined || !isAlive(owner)) rmSync(join(cache, entry), { recursive: true, force: true });
  }
}

function ownerOf(folder: string): number | undefined {
  try {
    return Number(readFileSync(join(folder, OWNER_FILE), 'utf8'));
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return isCode(error, 'EPERM');
  }
}

function isCode(error: unknown, code: string): boolean {
  return (error as { code?: unknown }).code === code;
}
