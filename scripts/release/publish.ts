/** The npm packages of a release, into the registry that npm is configured for. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface Publication {
  /** The folder of the release. */
  readonly folder: string;
  /** Where npm runs: its .npmrc can name the registry. */
  readonly cwd: string;
  /** Options of `npm publish`. */
  readonly options?: readonly string[];
  readonly print: (line: string) => void;
}

interface Package {
  readonly name: string;
  readonly version: string;
  readonly file: string;
}

const run = promisify(execFile);
/** npm unpacks each tarball before it sends it. */
const AT_ONCE = 3;

/**
 * Publishes what the registry does not have, so that it can be repeated after a failure.
 * @returns how many packages were published
 * @throws Error with npm's messages
 */
export async function publishPackages({ folder, cwd, options = [], print }: Publication): Promise<number> {
  const { packages } = JSON.parse(readFileSync(join(folder, 'release.json'), 'utf8')) as {
    readonly packages: readonly Package[];
  };
  const registry = await registryIn(cwd);
  let published = 0;
  const waiting = packages.values();
  const publishThem = async (): Promise<void> => {
    for (const { name, version, file } of waiting) {
      if ((await versionsOf(name, registry)).has(version)) {
        print(`${name} ${version} is published already`);
        continue;
      }
      await run('npm', ['publish', join(folder, file), '--access=public', ...options], { cwd });
      print(`${name} ${version}`);
      published += 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, publishThem));
  return published;
}

/** The versions that the registry has of a package. @throws Error for an answer that says neither */
async function versionsOf(name: string, registry: string): Promise<ReadonlySet<string>> {
  const url = new URL(name.replace('/', '%2f'), registry);
  const response = await fetch(url, { headers: { accept: 'application/vnd.npm.install-v1+json' } });
  if (response.status === 404) return new Set();
  if (!response.ok) throw new Error(`${url}: expected the versions of ${name}, found ${response.status}; try again`);
  const { versions } = (await response.json()) as { readonly versions: object };
  return new Set(Object.keys(versions));
}

/** Where npm publishes the packages. */
async function registryIn(cwd: string): Promise<string> {
  const configured = async (key: string): Promise<string> =>
    (await run('npm', ['config', 'get', key], { cwd })).stdout.trim();
  const scoped = await configured('@meshrelay:registry');
  return scoped === 'undefined' ? configured('registry') : scoped;
}
