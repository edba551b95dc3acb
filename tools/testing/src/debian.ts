/** Debian's packages, fetched without being installed, by a user without rights. */
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onPath } from './on-path.ts';

const run = promisify(execFile);
/** Milliseconds for apt to fetch lists or packages. */
const FETCH_WITHIN = 180_000;
const AS_IS = ['-o', 'APT::Sandbox::User=root'];

export interface DebianFetch {
  /** A folder for lists of packages, which may be removed afterwards. */
  readonly work: string;
  /** The folder for the packages; it exists. */
  readonly into: string;
  /** `NAME` for the newest version, or `NAME=VERSION`. */
  readonly packages: readonly string[];
  /** The release to take packages from, such as `bookworm`; that of this machine when omitted. */
  readonly release?: string;
}

/**
 * Fetches packages as `.deb` files. Uses the machine's package lists. If they are missing, outdated or those of another
 * release, fetches lists into a private folder, which needs no root.
 * @throws Error if this machine has no apt-get, reaches no mirror, or the mirror has no such version
 */
export async function fetchDebianPackages({ work, into, packages, release }: DebianFetch): Promise<void> {
  if (onPath('apt-get') === undefined || onPath('dpkg-deb') === undefined) throw new Error('no apt-get');
  const get = (options: readonly string[], ...words: readonly string[]): Promise<unknown> =>
    run('apt-get', [...AS_IS, ...options, ...words], { cwd: into, timeout: FETCH_WITHIN });
  try {
    await get([], 'download', ...packages);
  } catch {
    const [lists, archives] = [join(work, 'lists'), join(work, 'archives')];
    for (const needed of [lists, archives]) mkdirSync(join(needed, 'partial'), { recursive: true });
    const own = ['-o', `Dir::State::lists=${lists}`, '-o', `Dir::Cache=${archives}`];
    if (release !== undefined) own.push(...(await sourcesOf(release, work)));
    await get(own, 'update');
    await get(own, 'download', ...packages);
  }
}

/** Unpacks a `.deb` file into a folder. */
export async function unpackDebianPackage(file: string, into: string): Promise<void> {
  await run('dpkg-deb', ['-x', file, into]);
}

/** Options that make apt read a release from the mirrors of this machine. */
async function sourcesOf(release: string, work: string): Promise<readonly string[]> {
  const { stdout } = await run('apt-get', ['indextargets', '--format', '$(REPO_URI)']);
  const mirrors = [...new Set(stdout.split('\n').filter((line) => line !== ''))];
  const lines = mirrors.map((mirror) => {
    const suite = /-security\/?$/.test(mirror) ? `${release}-security` : release;
    return `deb ${mirror} ${suite} main\n`;
  });
  const sources = join(work, 'sources.list');
  writeFileSync(sources, lines.join(''));
  return ['-o', `Dir::Etc::sourcelist=${sources}`, '-o', 'Dir::Etc::sourceparts=-'];
}
