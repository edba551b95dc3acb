/** Files that dynamically linked programs need in an image. */
import { basename } from 'node:path';
import { run } from './command.ts';

const LOADER = '/lib64/ld-linux-x86-64.so.2';

/** With this variable of the image, programs find their libraries. */
export const LIBRARY_PATH = 'LD_LIBRARY_PATH=/lib';

/**
 * The loader and the libraries: the path of each in the image, and on this machine.
 * @param libraries further folders of libraries, separated by colons
 */
export async function linkedFiles(
  programs: readonly string[],
  libraries = '',
): Promise<readonly (readonly [inImage: string, source: string])[]> {
  const found = new Map<string, string>();
  for (const program of programs) {
    const output = await run('ldd', [program], { env: { LD_LIBRARY_PATH: libraries } });
    for (const [, path = ''] of output.matchAll(/=> (\/\S+)/g)) found.set(basename(path), path);
  }
  return [...[...found].map(([name, path]) => [`lib/${name}`, path] as const), [LOADER.slice(1), LOADER]];
}
