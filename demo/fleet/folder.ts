/** The demo's folder: kubeconfigs, configurations and logs while it runs, nothing afterwards. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { stringify } from 'yaml';

export class DemoFolder implements Disposable {
  readonly path: string;

  constructor() {
    const cache = join(import.meta.dirname, '../../.cache');
    mkdirSync(cache, { recursive: true });
    this.path = firstFree(join(cache, 'demo'));
  }

  /** Writes a file that others may not read: kubeconfigs hold credentials. */
  write(name: string, text: string): string {
    const path = join(this.path, name);
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  }

  /** Writes a program's configuration. */
  writeConfig(name: string, config: object): string {
    return this.write(`${name}.yaml`, stringify(config));
  }

  logFile(name: string): string {
    return join(this.path, `${name}.log`);
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** `.cache/demo`, or one of its own where another demo runs. */
function firstFree(path: string): string {
  for (const candidate of [path, `${path}-${process.pid}`]) {
    try {
      mkdirSync(candidate, { mode: 0o700 });
      return candidate;
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'EEXIST') throw error;
    }
  }
  throw new Error(`${path} is in use; remove it if no demo is running`);
}
