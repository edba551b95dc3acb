/** A headless Chromium for tests, fetched once below `.cache/e2e`. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, createReadStream, createWriteStream, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createBrotliDecompress } from 'node:zlib';
import { fetchOnce } from './fetch-once.ts';

const run = promisify(execFile);

/** The npm package that contains a Chromium with its libraries, for x64. */
const PACKAGE = '@sparticuz/chromium';
const VERSION = '147.0.0';
const SHA256 = '18fe5404ce845594cd7d592fc07f37a19514079ba4d9c27192ad8b908743f16b';

/** Command that runs Chromium. */
export interface ChromiumProgram {
  readonly path: string;
  /** Added to the environment, so that Chromium finds its libraries. */
  readonly env: NodeJS.ProcessEnv;
}

/**
 * `MESHRELAY_CHROMIUM`, else one from npm's registry.
 * @throws Error if this machine has another architecture, the registry cannot be reached, or the file differs
 */
export async function chromiumProgram(): Promise<ChromiumProgram> {
  const named = process.env['MESHRELAY_CHROMIUM'];
  if (named !== undefined && named !== '') return { path: named, env: {} };
  if (process.arch !== 'x64')
    throw new Error(`${PACKAGE} is for x64, and this machine is ${process.arch}: set MESHRELAY_CHROMIUM to a Chromium`);
  const folder = await fetchOnce(`chromium-${VERSION}`, unpacked);
  return { path: join(folder, 'chromium'), env: { LD_LIBRARY_PATH: join(folder, 'lib') } };
}

async function unpacked(work: string): Promise<string> {
  await run('npm', ['pack', `${PACKAGE}@${VERSION}`, '--pack-destination', work], { cwd: work });
  const tarball = join(work, `sparticuz-chromium-${VERSION}.tgz`);
  const sum = createHash('sha256').update(readFileSync(tarball)).digest('hex');
  if (sum !== SHA256)
    throw new Error(
      `${PACKAGE} ${VERSION} has the SHA-256 ${sum}, expected ${SHA256}: find out why the file changed before you change the sum`,
    );
  await run('tar', ['xzf', tarball], { cwd: work });
  const folder = join(work, 'unpacked');
  mkdirSync(folder);
  const program = join(folder, 'chromium');
  await decompress(join(work, 'package/bin/chromium.br'), program);
  chmodSync(program, 0o755);
  for (const name of ['al2023', 'swiftshader']) {
    const archive = join(work, `${name}.tar`);
    await decompress(join(work, `package/bin/${name}.tar.br`), archive);
    await run('tar', ['xf', archive], { cwd: folder });
  }
  return folder;
}

function decompress(from: string, to: string): Promise<void> {
  return pipeline(createReadStream(from), createBrotliDecompress(), createWriteStream(to));
}
