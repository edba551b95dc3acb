/** An empty registry of npm on a free port of loopback, into which everyone on this machine may publish. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { runServer } from 'verdaccio';

export interface LocalRegistry extends AsyncDisposable {
  /** The lines of an .npmrc for the packages of Meshrelay; others come from where they usually do. */
  readonly npmrc: string;
}

/** @param folder for what is published */
export async function startLocalRegistry(folder: string): Promise<LocalRegistry> {
  const file = join(folder, 'config.yaml');
  const server: Server = await runServer({
    configPath: file,
    self_path: file,
    storage: join(folder, 'storage'),
    auth: { htpasswd: { file: join(folder, 'htpasswd'), max_users: -1 } },
    uplinks: {},
    packages: { '@meshrelay/*': { access: '$all', publish: '$all' } },
    middlewares: {},
    web: { enable: false },
    log: { type: 'stdout', level: 'fatal' },
  } as never);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `//127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return {
    // npm publishes with a token only; the registry asks for none.
    npmrc: `@meshrelay:registry=http:${host}\n${host}:_authToken=none\n`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
