/** An HTTP server with answers from a test, and a connection to it. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect, type KubeConnection } from '../src/mod.ts';

export interface StubRequest {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: unknown;
}

export interface StubAnswer {
  readonly status?: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Undefined: the request gets no answer. */
export type StubHandler = (request: StubRequest) => StubAnswer | undefined | Promise<StubAnswer | undefined>;

export class StubApi implements AsyncDisposable {
  readonly requests: StubRequest[] = [];
  readonly connection: KubeConnection;
  readonly kubeconfig: string;
  /** TCP connections accepted so far. */
  accepted = 0;
  readonly #server: Server;

  constructor(server: Server) {
    this.#server = server;
    const { port } = server.address() as AddressInfo;
    this.kubeconfig = JSON.stringify({
      clusters: [
        { name: 'c', cluster: { server: `http://127.0.0.1:${port}/base/`, 'insecure-skip-tls-verify': true } },
      ],
      users: [{ name: 'u', user: { token: 'secret-token' } }],
      contexts: [{ name: 'x', context: { cluster: 'c', user: 'u', namespace: 'mesh' } }],
      'current-context': 'x',
    });
    this.connection = connect({ text: this.kubeconfig }, { timeout: 5_000 });
  }

  static async start(handler: StubHandler): Promise<StubApi> {
    let api: StubApi | undefined;
    const server = createServer(async (incoming, response) => {
      let body = '';
      for await (const chunk of incoming) body += String(chunk);
      const url = new URL(incoming.url ?? '/', 'http://stub');
      const request = {
        method: incoming.method ?? '',
        path: url.pathname.replace(/^\/base/, ''),
        query: Object.fromEntries(url.searchParams),
        headers: incoming.headers,
        body: body === '' ? undefined : (JSON.parse(body) as unknown),
      };
      api?.requests.push(request);
      const answer = await handler(request);
      if (answer === undefined) return;
      const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
      response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers });
      response.end(text);
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    api = new StubApi(server);
    const counting = api;
    server.on('connection', () => counting.accepted++);
    return api;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.connection[Symbol.asyncDispose]();
    this.#server.closeAllConnections();
    await new Promise((closed) => this.#server.close(closed));
  }
}

/** A Status as the API server sends it. */
export function rejection(code: number, reason: string, message: string, details?: unknown): StubAnswer {
  return {
    status: code,
    body: { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message, details },
  };
}
