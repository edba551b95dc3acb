/**
 * Finds redis-server: a named one, the one on PATH, or Debian's, fetched once below `.cache/e2e` without being
 * installed.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { fetchDebianPackages, unpackDebianPackage } from '../debian.ts';
import { fetchOnce } from '../fetch-once.ts';
import { onPath } from '../on-path.ts';

const run = promisify(execFile);
/**
 * Debian's redis-server is a link into redis-tools; the libraries are those usually missing on a machine without Redis.
 */
const PACKAGES = ['redis-server', 'redis-tools', 'libjemalloc2', 'liblzf1', 'libatomic1'];

/** Command that runs redis-server. */
export interface RedisProgram {
  readonly path: string;
  /** Added to the environment, so that redis-server finds its libraries. */
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Like {@link fetchedRedis}, for tests: undefined if this machine cannot get Redis. A test that gets undefined skips
 * itself; the runner counts the line printed here. CI allows no skipping.
 * @throws Error in CI, with the reason
 */
export async function redisProgram(): Promise<RedisProgram | undefined> {
  try {
    return await fetchedRedis();
  } catch (error) {
    if (process.env['CI'] === 'true') throw error;
    console.log(`SKIPPED needs redis-server: ${(error as Error).message.split('\n')[0]}`);
    return undefined;
  }
}

/**
 * `MESHRELAY_REDIS_SERVER`, else redis-server on PATH, else Debian's packages unpacked into the cache, without root.
 * @param log receives a line when fetching begins
 * @throws Error that says how to get Redis if neither Redis nor apt-get is present
 */
export async function fetchedRedis(log: (line: string) => void = () => {}): Promise<RedisProgram> {
  const named = process.env['MESHRELAY_REDIS_SERVER'];
  if (named !== undefined && named !== '') return { path: named, env: {} };
  const own = onPath('redis-server');
  if (own !== undefined) return { path: own, env: {} };
  const folder = await fetchOnce(`redis-debian-${process.arch}`, async (work) => {
    log('fetching redis-server from Debian');
    return unpacked(work);
  }).catch((cause: Error) => {
    throw new Error(missing(cause.message), { cause });
  });
  return { path: join(folder, 'usr/bin/redis-server'), env: { LD_LIBRARY_PATH: libraryPath(folder) } };
}

/** Debian's packages, unpacked without root. */
async function unpacked(work: string): Promise<string> {
  const debs = join(work, 'debs');
  const root = join(work, 'root');
  mkdirSync(debs);
  await fetchDebianPackages({ work, into: debs, packages: PACKAGES });
  for (const deb of readdirSync(debs)) await unpackDebianPackage(join(debs, deb), root);
  const program = join(root, 'usr/bin/redis-server');
  await run(program, ['--version'], { env: { ...process.env, LD_LIBRARY_PATH: libraryPath(root) } });
  return root;
}

/** Debian stores libraries in a folder per architecture. */
function libraryPath(root: string): string {
  const lib = join(root, 'usr/lib');
  return [...readdirSync(lib).map((name) => join(lib, name)), process.env['LD_LIBRARY_PATH'] ?? '']
    .filter((path) => path !== '')
    .join(delimiter);
}

function missing(why: string): string {
  return `redis-server 6.2 or later is required and could not be started (${why.trim()}); install it (package redis-server), or name one in MESHRELAY_REDIS_SERVER`;
}
