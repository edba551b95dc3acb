/** A registry of npm that has the tarballs and nothing else. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Tarball } from './tarballs.ts';

export interface Registry extends AsyncDisposable {
  readonly url: string;
}

/** Long ago, for package managers that wait until a version is some days old. */
const PUBLISHED = '2020-01-01T00:00:00.000Z';

/** Listens on a free port of loopback. */
export async function serveTarballs(tarballs: readonly Tarball[]): Promise<Registry> {
  const byPath = new Map(tarballs.map((tarball) => [`/${tarball.file}`, tarball]));
  const byName = new Map(tarballs.map((tarball) => [`/${tarball.manifest.name}`, tarball]));
  const server = createServer(({ url = '' }, response) => {
    const path = decodeURIComponent(url);
    const file = byPath.get(path);
    const named = byName.get(path);
    if (file !== undefined) response.end(file.data);
    else if (named !== undefined) answer(response, 200, packument(named, address()));
    else answer(response, 404, { error: `${path} is not one of the packed packages` });
  });
  const address = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: address(),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(body));
}

/** What a registry says about a package. */
function packument({ manifest, file, data }: Tarball, registry: string): object {
  const { name, version } = manifest;
  const integrity = `sha512-${createHash('sha512').update(data).digest('base64')}`;
  return {
    name,
    'dist-tags': { latest: version },
    time: { [version]: PUBLISHED },
    versions: { [version]: { ...manifest, dist: { tarball: `${registry}/${file}`, integrity } } },
  };
}
