/** An image of Redis: redis-server of this machine or of Debian, with the libraries and the shell that it needs. */
import { basename } from 'node:path';
import type { ImageOfFiles } from '@meshrelay/images';
import { fetchedRedis } from '@meshrelay/testing/redis';
import { run } from './command.ts';

export const REDIS_IMAGE = 'localhost/redis:1';

const LOADER = '/lib64/ld-linux-x86-64.so.2';
/** What the chart's command calls. */
const TOOLS = ['/bin/sh', '/bin/cat'];

/** @throws Error if this machine has no Redis and cannot fetch it */
export async function redisImage(print: (line: string) => void): Promise<ImageOfFiles> {
  const redis = await fetchedRedis(print);
  const env = { LD_LIBRARY_PATH: redis.env['LD_LIBRARY_PATH'] ?? '' };
  const libraries = new Map<string, string>();
  for (const program of [redis.path, ...TOOLS])
    for (const library of librariesIn(await run('ldd', [program], { env }))) libraries.set(basename(library), library);
  return {
    name: REDIS_IMAGE,
    file: 'redis',
    files: [
      ['bin/redis-server', redis.path],
      ...TOOLS.map((tool) => [tool.slice(1), tool] as const),
      ...[...libraries].map(([name, path]) => [`lib/${name}`, path] as const),
      [LOADER.slice(1), LOADER],
    ],
    config: { Env: ['PATH=/bin', 'LD_LIBRARY_PATH=/lib'], WorkingDir: '/' },
  };
}

/** The paths in the output of ldd. */
function librariesIn(output: string): readonly string[] {
  return [...output.matchAll(/=> (\/\S+)/g)].map(([, path = '']) => path);
}
