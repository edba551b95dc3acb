/** An image of a sidecar: Envoy, and the program that redirects a pod's connections to it. */
import type { ImageOfFiles } from '@meshrelay/images';
import { fetchedEnvoy } from '@meshrelay/testing/envoy';
import { goProgram } from '@meshrelay/testing/go';
import { goFolder } from '../../src/go-folder.ts';
import { LIBRARY_PATH, linkedFiles } from './linked-files.ts';

export const PROXY_IMAGE = 'localhost/proxy:1';

/** @throws Error if this machine has no Envoy and cannot fetch it */
export async function proxyImage(print: (line: string) => void): Promise<ImageOfFiles> {
  const { path } = await fetchedEnvoy(print);
  const redirect = await goProgram(goFolder('redirect'), { print });
  return {
    name: PROXY_IMAGE,
    file: 'proxy',
    files: [['bin/envoy', path], ['bin/redirect', redirect], ...(await linkedFiles([path]))],
    config: { Env: ['PATH=/bin', LIBRARY_PATH], WorkingDir: '/' },
  };
}
