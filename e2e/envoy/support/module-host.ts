/**
 * The server from which agents fetch modules: real ones that add a header to responses, and one that no Envoy can load.
 */
import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { proxyWasm } from '@meshrelay/testing/proxy-wasm';

/** In the form that a WasmDeployment uses. */
export interface ModuleSource {
  readonly uri: string;
  readonly sha256: string;
}

/** It begins with the header of a module. */
const BROKEN = Buffer.concat([Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]), Buffer.from('garbage')]);

export class ModuleHost implements AsyncDisposable {
  /** In the form of the agents' configuration. */
  readonly entry: string;
  readonly #modules: ReadonlyMap<string, Buffer>;
  readonly #server: Server;

  private constructor(modules: ReadonlyMap<string, Buffer>, server: Server) {
    this.#modules = modules;
    this.#server = server;
    this.entry = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** With `one` and `two`, which mark responses with their name, and `broken`. */
  static async start(): Promise<ModuleHost> {
    const marks = await Promise.all(['one', 'two'].map(async (mark) => [mark, await proxyWasm(mark)] as const));
    const modules = new Map([...marks, ['broken', BROKEN]]);
    const server = createServer(({ url = '' }, response) => {
      const module = modules.get(url.slice(1));
      response.statusCode = module === undefined ? 404 : 200;
      response.end(module);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new ModuleHost(modules, server);
  }

  source(name: string): ModuleSource {
    const module = this.#modules.get(name);
    if (module === undefined) throw new Error(`no module ${name}`);
    return { uri: `${this.entry}/${name}`, sha256: createHash('sha256').update(module).digest('hex') };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((closed) => this.#server.close(closed));
  }
}
