/** Module hosts on loopback, and a fake module: only Envoy looks beyond the first eight bytes. */
import { Buffer } from 'node:buffer';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sha256Of } from '../../src/wasm/modules/module-cache.ts';

/** The smallest file that passes as a module. */
export const MODULE: Buffer = Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);
export const MODULE_SHA: string = sha256Of(MODULE);

export interface Host extends AsyncDisposable {
  /** `http://127.0.0.1:PORT`. */
  readonly origin: string;
  /** `127.0.0.1:PORT`. */
  readonly authority: string;
  /** Form in the agent's list. */
  readonly entry: string;
  /** Requested paths, in order. */
  readonly requested: string[];
}

export async function host(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<Host> {
  const requested: string[] = [];
  const listener: RequestListener = (request, response) => {
    requested.push(request.url ?? '');
    answer(request, response);
  };
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    authority: `127.0.0.1:${port}`,
    entry: `http://127.0.0.1:${port}`,
    requested,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The test must not read from the cluster. */
export const NO_FILES = {
  configMap: () => Promise.reject(new Error('no ConfigMap is asked for')),
  dockerConfig: () => Promise.reject(new Error('no Secret is asked for')),
};
