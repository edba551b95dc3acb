/** A small API server that stores one Lease. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Stored {
  metadata: Record<string, unknown> & { resourceVersion?: string };
  spec: Record<string, unknown>;
}

export class LeaseServer implements AsyncDisposable {
  stored: Stored | undefined;
  requests: string[] = [];
  hang = false;
  hungUp = 0;
  readonly #server = createServer((request, response) => void this.#serve(request, response));

  /** @returns its URL */
  async listen(): Promise<string> {
    await new Promise<void>((listening) => this.#server.listen(0, '127.0.0.1', listening));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.requests.push(`${request.method} ${request.url}`);
    response.on('close', () => {
      if (!response.writableEnded) this.hungUp++;
    });
    if (this.hang) return;
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const sent = body === '' ? undefined : (JSON.parse(body) as Stored);
    const refuse = (code: number, reason: string): void => {
      response.writeHead(code, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ apiVersion: 'v1', kind: 'Status', status: 'Failure', code, reason }));
    };
    if (request.method === 'POST' && this.stored !== undefined) return refuse(409, 'AlreadyExists');
    if (request.method === 'GET' && this.stored === undefined) return refuse(404, 'NotFound');
    if (sent !== undefined) {
      if (request.method === 'PUT' && sent.metadata.resourceVersion !== this.stored?.metadata.resourceVersion) {
        return refuse(409, 'Conflict');
      }
      const version = Number(this.stored?.metadata.resourceVersion ?? 0) + 1;
      this.stored = { ...sent, metadata: { ...sent.metadata, resourceVersion: String(version) } };
    }
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(this.stored));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((closed) => this.#server.close(closed));
  }
}
