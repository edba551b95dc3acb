/** Debian's packages, fetched without being installed, by a user without rights. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
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

export interface PinnedPackage {
  readonly name: string;
  readonly version: string;
  /** Default: amd64. */
  readonly architecture?: 'amd64' | 'all';
  /** Of the `.deb` file. */
  readonly sha256: string;
}

export interface PinnedFetch {
  /** An empty folder for everything. */
  readonly work: string;
  readonly release: string;
  readonly packages: readonly PinnedPackage[];
  /** The file of the repository that has the versions, for errors. */
  readonly pinnedIn: string;
}

/**
 * Fetches exactly these packages, and unpacks them into one folder.
 * @returns the folder
 * @throws Error that says which package cannot be fetched or differs, and what to do
 */
export async function unpackPinnedPackages({ work, release, packages, pinnedIn }: PinnedFetch): Promise<string> {
  const [into, root] = [join(work, 'debs'), join(work, 'root')];
  mkdirSync(into);
  const names = packages.map(({ name, version, architecture = 'amd64' }) => `${name}:${architecture}=${version}`);
  await fetchDebianPackages({ work, into, release, packages: names }).catch((cause: Error) => {
    throw new Error(
      `Debian ${release} packages cannot be fetched (${cause.message.trim()}). Debian's apt-get and dpkg-deb are needed. ` +
        'If the mirror no longer has one of these versions, set the newer version and its SHA-256 ' +
        `(apt-cache show NAME) in ${pinnedIn}.`,
      { cause },
    );
  });
  const debs = readdirSync(into).map((deb) => join(into, deb));
  const fetched = new Set(debs.map((deb) => createHash('sha256').update(readFileSync(deb)).digest('hex')));
  for (const { name, version, sha256 } of packages)
    if (!fetched.has(sha256))
      throw new Error(
        `the fetched ${name} ${version} does not have the SHA-256 ${sha256} of ${pinnedIn}. ` +
          'Find out why the file changed before you change the sum.',
      );
  for (const deb of debs) await unpackDebianPackage(deb, root);
  return root;
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
