/** An image of Redis: redis-server of this machine or of Debian, with the libraries and the shell that it needs. */
import type { ImageOfFiles } from '@meshrelay/images';
import { fetchedRedis } from '@meshrelay/testing/redis';
import { LIBRARY_PATH, linkedFiles } from './linked-files.ts';

export const REDIS_IMAGE = 'localhost/redis:1';

/** What the chart's command calls. */
const TOOLS = ['/bin/sh', '/bin/cat'];

/** @throws Error if this machine has no Redis and cannot fetch it */
export async function redisImage(print: (line: string) => void): Promise<ImageOfFiles> {
  const redis = await fetchedRedis(print);
  return {
    name: REDIS_IMAGE,
    file: 'redis',
    files: [
      ['bin/redis-server', redis.path],
      ...TOOLS.map((tool) => [tool.slice(1), tool] as const),
      ...(await linkedFiles([redis.path, ...TOOLS], redis.env['LD_LIBRARY_PATH'])),
    ],
    config: { Env: ['PATH=/bin', LIBRARY_PATH], WorkingDir: '/' },
  };
}
