/** One cluster's API server: requests in JSON, errors with a code. */
import { CoordinationV1Api, HttpMethod, type KubeConfig, RequestContext } from '@kubernetes/client-node';
import type { ResourceKind } from '@meshrelay/relay-core';
import { request as send } from 'undici';
import { ObjectClient } from '../objects/object-client.ts';
import { answerError, idleTimeoutError } from '../status-error.ts';
import type { KubeRequest, KubeRequester } from './kube-request.ts';
import type { PooledKubeConfig } from './pooled-kube-config.ts';

/** A connection made by `connect`. Connections to the server are kept open and shared by all requests. */
export class KubeConnection implements KubeRequester, AsyncDisposable {
  readonly #config: PooledKubeConfig;
  readonly #timeout: number;
  readonly #userAgent: string;

  constructor(
    config: PooledKubeConfig,
    { timeout = 30_000, replica }: { readonly timeout?: number; readonly replica?: string } = {},
  ) {
    this.#config = config;
    this.#timeout = timeout;
    this.#userAgent = replica === undefined ? 'meshrelay' : `meshrelay/${replica}`;
  }

  /** The API server's address, without a trailing slash. */
  get server(): string {
    return this.#config.getCurrentCluster()?.server ?? '';
  }

  /** The context of the kubeconfig. */
  get context(): string {
    return this.#config.getCurrentContext();
  }

  /** The namespace of the context; in a pod its own namespace. */
  get namespace(): string | undefined {
    return this.#config.getContextObject(this.#config.getCurrentContext())?.namespace?.trim();
  }

  /** The official client's configuration, for its watches. */
  get config(): KubeConfig {
    return this.#config;
  }

  /** Reads and writes objects of one kind. */
  objects(kind: ResourceKind): ObjectClient {
    return new ObjectClient(this, kind);
  }

  /** The official client's API for Leases, for leader election. */
  coordinationApi(): CoordinationV1Api {
    return this.#config.makeApiClient(CoordinationV1Api);
  }

  async request<T>(request: KubeRequest): Promise<T> {
    const body = await this.text(request, 'application/json');
    try {
      return JSON.parse(body) as T;
    } catch (error) {
      throw idleTimeoutError(request.what, error);
    }
  }

  /** Sends a request whose answer is plain text, such as the log of a container. @throws KubeError as {@link request} */
  async text(request: KubeRequest, accept = 'application/json, */*'): Promise<string> {
    const timeout = AbortSignal.timeout(this.#timeout);
    const signal = request.signal === undefined ? timeout : AbortSignal.any([request.signal, timeout]);
    let answer: { status: number; body: string; retryAfter: string | undefined };
    try {
      answer = await this.#send(request, accept, signal);
    } catch (error) {
      if (request.signal?.aborted) throw request.signal.reason;
      const late = timeout.aborted ? new Error(`none within ${this.#timeout / 1000} s`, { cause: error }) : error;
      throw idleTimeoutError(request.what, late);
    }
    if (answer.status >= 300) throw answerError(request.what, answer);
    return answer.body;
  }

  async #send(
    request: KubeRequest,
    accept: string,
    signal: AbortSignal,
  ): Promise<{
    status: number;
    body: string;
    retryAfter: string | undefined;
  }> {
    const url = new URL(this.server + request.path);
    for (const [name, value] of Object.entries(request.query ?? {})) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    const context = new RequestContext(url.href, HttpMethod[request.method]);
    await this.#config.applySecurityAuthentication(context);
    const headers: Record<string, string> = {
      ...context.getHeaders(),
      accept,
      'user-agent': this.#userAgent,
    };
    if (request.body !== undefined) headers['content-type'] = request.contentType ?? 'application/json';
    const dispatcher = context.getDispatcher();
    const response = await send(url, {
      method: request.method,
      headers,
      signal,
      ...(request.body !== undefined && { body: JSON.stringify(request.body) }),
      ...(dispatcher !== undefined && { dispatcher }),
    });
    const body = await response.body.text();
    return {
      status: response.statusCode,
      body,
      retryAfter: String(response.headers['retry-after'] ?? '') || undefined,
    };
  }

  /** Closes all connections; pending requests fail. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#config.closeConnections();
  }
}
