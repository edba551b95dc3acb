/** Implements `meshctl plugin dev`. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync, watch } from 'node:fs';
import { dirname, resolve } from 'node:path';
import process from 'node:process';
import { InputError } from '../problem.ts';

export interface DevOptions {
  readonly plugin: string;
  readonly cluster: readonly string[];
  readonly config: readonly string[];
}

/** Milliseconds: an editor writes a file in several steps, and several files together. */
const SETTLED = 200;

/** Runs until it is interrupted. @throws InputError for a path that does not exist */
export async function dev({ plugin, cluster, config }: DevOptions): Promise<void> {
  const clusters = cluster.flatMap((one) => ['--cluster', one]);
  const discover = ['discover', ...clusters, '--plugin', plugin];
  const translate = ['translate', ...clusters, ...config.flatMap((one) => ['--config', one]), '--plugin', plugin];
  const paths = [dirname(plugin), ...cluster.map((one) => one.slice(one.indexOf('=') + 1)), ...config];
  const changes = new Changes(paths);
  for (;;) {
    // A new process each time, since a process imports a module once.
    for (const args of [discover, translate]) await run(args);
    process.stdout.write(`\nwaiting for changes in ${paths.join(', ')}\n`);
    process.stdout.write(`\n${await changes.next()} changed\n`);
  }
}

async function run(args: readonly string[]): Promise<void> {
  process.stdout.write(`\n$ meshctl ${args.join(' ')}\n`);
  const child = spawn(process.execPath, [process.argv[1] ?? '', ...args], { stdio: 'inherit' });
  await once(child, 'exit');
}

/** Changes of files, also below folders. */
class Changes {
  #changed: string | undefined;
  #notify: () => void = () => undefined;

  /** @throws InputError for a path that does not exist */
  constructor(paths: readonly string[]) {
    for (const path of paths) {
      const recursive = isFolder(path);
      watch(path, { recursive }, (_, file) => {
        this.#changed = recursive ? resolve(path, file ?? '') : path;
        this.#notify();
      });
    }
  }

  /** The last file that changed since the last call, once no other has changed for a moment. */
  async next(): Promise<string> {
    while (this.#changed === undefined) await this.#notified();
    for (;;) {
      const settled = new Promise<true>((done) => setTimeout(done, SETTLED, true));
      if ((await Promise.race([settled, this.#notified()])) === true) break;
    }
    const changed = this.#changed;
    this.#changed = undefined;
    return changed;
  }

  #notified(): Promise<void> {
    return new Promise((done) => {
      this.#notify = done;
    });
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (cause) {
    throw new InputError(`${path}: ${(cause as Error).message}; give the path of a file or a folder`, { cause });
  }
}
