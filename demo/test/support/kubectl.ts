/** The real kubectl, as a user would run it against the demo. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import type { RunningCluster } from '@meshrelay/local-fleet';

const KUBECTL = process.env['MESHRELAY_KUBECTL'] ?? 'kubectl';
const DEADLINE_MS = 120_000;
/** Bytes. */
const MAX_OUTPUT = 64 * 1024 * 1024;

export async function kubectlIsThere(): Promise<boolean> {
  try {
    await promisify(execFile)(KUBECTL, ['version', '--client'], { timeout: DEADLINE_MS });
    return true;
  } catch {
    return false;
  }
}

/** kubectl for one cluster, with its own home for caches. */
export class Kubectl {
  readonly #kubeconfig: string;
  readonly #home: string;

  constructor({ kubeconfig }: RunningCluster, home: string) {
    this.#kubeconfig = kubeconfig;
    this.#home = home;
  }

  /** Its output. @throws Error with its message, if it does not exit with 0 */
  async run(line: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
    const { stdout } = await promisify(execFile)(KUBECTL, this.#arguments(line), {
      env: { ...process.env, HOME: this.#home, ...env },
      timeout: DEADLINE_MS,
      maxBuffer: MAX_OUTPUT,
    });
    return stdout;
  }

  /** Starts a command that runs until it is killed. */
  start(line: string): ChildProcess & { readonly said: () => string } {
    const child = spawn(KUBECTL, this.#arguments(line), {
      env: { ...process.env, HOME: this.#home },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      said += text;
    });
    return Object.assign(child, { said: () => said });
  }

  /** A file to apply. */
  file(name: string, object: object): string {
    const path = join(this.#home, name);
    writeFileSync(path, JSON.stringify(object));
    return path;
  }

  #arguments(line: string): string[] {
    return ['--kubeconfig', this.#kubeconfig, ...line.split(' ')];
  }
}
