/** An image as a container engine runs it: its root file system, read-only, as its user. */
import { execFileSync, type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import type { BuiltImage } from '../src/mod.ts';

export interface ImageConfig {
  readonly config: {
    readonly User: string;
    readonly Env: readonly string[];
    readonly Entrypoint: readonly string[];
    readonly Labels: Readonly<Record<string, string>>;
  };
}

/** What runs inside: the command, and its environment. */
export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Mounts that an engine makes; then the command takes the place of this shell, so that signals reach it. */
const ENTER = `
set -e
mount --make-rprivate /
mount --bind "$1" "$1"
mount --rbind /dev "$1/dev"
mount -t proc proc "$1/proc"
mount --bind "$2" "$1/etc/meshrelay"
mount -o remount,bind,ro "$1"
root=$1 user=$3
shift 3
exec chroot --userspec="$user" "$root" "$@"`;

/** Whether this process may do so. If not, prints the line by which the runner counts a file as skipped. */
export function mayEnter(): boolean {
  if (process.getuid?.() === 0 && spawnSync('unshare', ['--mount', 'mount', '--make-rprivate', '/']).status === 0)
    return true;
  console.log('SKIPPED needs mounts of its own: unshare and mount (util-linux), as root with CAP_SYS_ADMIN');
  return false;
}

export class RootFileSystem {
  readonly config: ImageConfig;
  readonly path: string;
  /** The folder that programs see as /etc/meshrelay. */
  readonly configFolder: string;

  /** Unpacks an archive into a folder, as `docker load` reads it. */
  constructor({ file }: BuiltImage, folder: string) {
    const [archive, root] = [join(folder, 'archive'), join(folder, 'root')];
    this.path = root;
    this.configFolder = join(folder, 'config');
    for (const each of [archive, root, this.configFolder]) mkdirSync(each, { recursive: true });
    execFileSync('tar', ['-xf', file, '-C', archive]);
    const read = (path: string): unknown => JSON.parse(readFileSync(join(archive, path), 'utf8'));
    const [{ Config, Layers }] = read('manifest.json') as [
      { readonly Config: string; readonly Layers: readonly string[] },
    ];
    for (const layer of Layers) execFileSync('tar', ['-xzpf', join(archive, layer), '-C', root]);
    this.config = read(Config) as ImageConfig;
    // A container engine makes the folders that it mounts on.
    for (const each of ['dev', 'proc', 'etc/meshrelay']) mkdirSync(join(root, each), { recursive: true });
  }

  /** The command that runs the image's entrypoint with these arguments inside. */
  entrypoint(...args: readonly string[]): Command {
    return this.command(...this.config.config.Entrypoint, ...args);
  }

  command(...command: readonly string[]): Command {
    const { User, Env } = this.config.config;
    const env = Object.fromEntries(
      Env.map((each) => [each.slice(0, each.indexOf('=')), each.slice(each.indexOf('=') + 1)]),
    );
    const inside = ['sh', '-c', ENTER, 'enter', this.path, this.configFolder, User, ...command];
    return { program: 'unshare', args: ['--mount', ...inside], env: { ...env, PATH: '/usr/sbin:/usr/bin:/sbin:/bin' } };
  }

  run({ program, args, env }: Command): SpawnSyncReturns<string> {
    return spawnSync(program, args, { env, encoding: 'utf8' });
  }
}
