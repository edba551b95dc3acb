/** HTTPS server for calls by other replicas, authenticated by the token of their Secret. */
import { Buffer } from 'node:buffer';
import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { clearInterval, setInterval } from 'node:timers';
import { asRelayError, RelayError } from '@meshrelay/relay-protocol';
import { REPLICA_HEADER } from './peer-client.ts';
import type { PeerKeys } from './peer-keys.ts';
import { HEARTBEAT, lineOf } from './peer-lines.ts';

/** Methods that a replica serves to the others. */
export interface PeerAnswers {
  /** Whether a method of this name exists. */
  knows(method: string): boolean;
  /**
   * Answers with plain-data replies. Ends, or throws, as soon as the signal aborts.
   * @throws RelayError at once if the parameters are invalid for the method
   */
  answer(method: string, given: unknown, signal: AbortSignal): AsyncIterable<unknown>;
}

export interface PeerServerOptions {
  readonly listen: { readonly host: string; readonly port: number };
  /** Name of this replica: calls for another one are rejected. */
  readonly replica: string;
  readonly answers: PeerAnswers;
  /** Maximum concurrent calls; 16 by default. */
  readonly max?: number;
  /** A request failed because of an internal error. */
  readonly onFailed: (method: string, error: unknown) => void;
}

const MAX_CALLS = 16;
/** Connections in addition to those calls, for callers that will be rejected. */
const MORE_CONNECTIONS = 48;
/** Maximum bytes of a call's parameters. */
const MAX_BYTES = 64 * 1024;
/** Milliseconds that a client has to authenticate and to send its call. */
const TIMEOUT_MS = 10_000;
/** Milliseconds for which an idle connection stays open. */
const RETAINED = 60_000;
/** Milliseconds between heartbeats of an idle answer. */
const BEAT = 5_000;

export class PeerServer implements AsyncDisposable {
  readonly #options: PeerServerOptions;
  readonly #max: number;
  readonly #server: Server;
  readonly #ended = new AbortController();
  #token: Buffer | undefined;
  #calls = 0;

  private constructor(options: PeerServerOptions) {
    this.#options = options;
    this.#max = options.max ?? MAX_CALLS;
    const tls = { minVersion: 'TLSv1.3', handshakeTimeout: TIMEOUT_MS } as const;
    this.#server = createServer(tls, (request, response) => void this.#serve(request, response));
    this.#server.maxConnections = this.#max + MORE_CONNECTIONS;
    this.#server.headersTimeout = TIMEOUT_MS;
    this.#server.requestTimeout = TIMEOUT_MS;
    this.#server.keepAliveTimeout = RETAINED;
  }

  /** Listens; rejects every call before keys are set. @throws the listen error */
  static async start(options: PeerServerOptions): Promise<PeerServer> {
    const peers = new PeerServer(options);
    const { host, port } = options.listen;
    peers.#server.listen(port, host);
    await once(peers.#server, 'listening');
    return peers;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Calls in progress. */
  get calls(): number {
    return this.#calls;
  }

  /** Whether keys are set. */
  get open(): boolean {
    return this.#token !== undefined;
  }

  /** Sets keys for connections from now on. @throws Error if the key or the certificate is invalid */
  use({ key, certificate, token }: PeerKeys): void {
    this.#server.setSecureContext({ key, cert: certificate, minVersion: 'TLSv1.3' });
    this.#token = digest(token);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended.abort(new RelayError('RELAY_E_UNAVAILABLE', 'this replica ends'));
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const method = /^\/v1\/([a-z.]+)$/.exec(request.url ?? '')?.[1] ?? '';
    const { answers, replica } = this.#options;
    const meant = request.headers[REPLICA_HEADER] ?? replica;
    if (!this.#admits(request.headers.authorization)) return refuse(response, 401, 'send the token of the replicas');
    if (meant !== replica) return refuse(response, 421, `this is replica ${replica}`);
    if (request.method !== 'POST' || !answers.knows(method)) return refuse(response, 404, 'no such method');
    if (this.#calls >= this.#max) return refuse(response, 503, `${this.#max} requests are running`);
    const gone = new AbortController();
    response.once('close', () => gone.abort(new RelayError('RELAY_E_UNAVAILABLE', 'the reader is gone')));
    const signal = AbortSignal.any([gone.signal, this.#ended.signal]);
    this.#calls++;
    try {
      const replies = answers.answer(method, await questionIn(request), signal);
      response.writeHead(200, { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' });
      await this.#answer(response, replies, signal);
    } catch (error) {
      if (signal.aborted) response.destroy();
      else this.#failed(method, error, response);
    } finally {
      this.#calls--;
    }
  }

  /** Applies backpressure: while a reader is slow, no further replies are read. */
  async #answer(response: ServerResponse, replies: AsyncIterable<unknown>, signal: AbortSignal): Promise<void> {
    const beat = setInterval(() => response.writableNeedDrain || response.write(HEARTBEAT), BEAT);
    try {
      for await (const reply of replies)
        if (!response.write(lineOf({ reply }))) await once(response, 'drain', { signal });
      signal.throwIfAborted();
      response.end(lineOf({ end: true }));
    } finally {
      clearInterval(beat);
    }
  }

  #failed(method: string, error: unknown, response: ServerResponse): void {
    const { code, message } = asRelayError(error);
    if (code === 'RELAY_E_INTERNAL') this.#options.onFailed(method, error);
    if (response.headersSent) response.end(lineOf({ failure: { code, reason: message } }));
    else refuse(response, 400, message);
  }

  #admits(authorization: string | undefined): boolean {
    const [, shown] = /^Bearer (\S{1,512})$/.exec(authorization ?? '') ?? [];
    return shown !== undefined && this.#token !== undefined && timingSafeEqual(digest(shown), this.#token);
  }
}

function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** @throws RelayError if the body is too long or not JSON */
async function questionIn(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BYTES)
      throw new RelayError('RELAY_E_RESOURCE_EXHAUSTED', `a call may have at most ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch (cause) {
    throw new RelayError('RELAY_E_PROTOCOL', 'the call is not JSON', { cause });
  }
}

function refuse(response: ServerResponse, status: number, reason: string): void {
  // The rest of the request is not read.
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' });
  response.end(`${reason}\n`);
}
