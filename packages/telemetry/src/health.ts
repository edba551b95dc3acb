/** The HTTP server for /healthz, /readyz and /metrics of a program. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Metrics } from './metrics.ts';

/** One readiness check: true, or the reason as one sentence. It may take 2 seconds. */
export type HealthCheck = () => true | string | Promise<true | string>;

/** Serves one path in addition to the usual ones; GET and HEAD only. */
export type HealthRoute = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

export interface HealthOptions {
  /** Listen address; all interfaces by default, since the kubelet probes from outside. */
  readonly host?: string;
  /** 0 for a free port. */
  readonly port: number;
  /** By name; all must be true for /readyz to answer 200. */
  readonly checks?: Readonly<Record<string, HealthCheck>>;
  /** Served at /metrics; without it that path does not exist. */
  readonly metrics?: Metrics;
  /** Further paths, such as `/snapshots/input`. */
  readonly routes?: Readonly<Record<string, HealthRoute>>;
  /** Receives errors of a route or a scrape; the request was answered 500. */
  readonly onError?: (error: unknown, path: string) => void;
}

export interface HealthServer extends AsyncDisposable {
  readonly host: string;
  readonly port: number;
  /** All served paths, sorted. */
  readonly paths: readonly string[];
}

const checkTimeout = 2_000;

/**
 * Starts listening. /healthz answers 200 as long as the event loop runs; /readyz 200 or 503 with the failing checks
 * as JSON (`{"ready": false, "failing": {"relay": "not connected yet"}}`).
 * @throws the listen error (EADDRINUSE, EACCES, …)
 */
export async function serveHealth(options: HealthOptions): Promise<HealthServer> {
  const routes: Record<string, HealthRoute> = {
    ...options.routes,
    '/healthz': (_request, response) => answer(response, 200, 'text/plain; charset=utf-8', 'ok\n'),
    '/readyz': async (_request, response) => {
      const failing = await runChecks(options.checks ?? {});
      const ready = Object.keys(failing).length === 0;
      answer(response, ready ? 200 : 503, 'application/json', `${JSON.stringify({ ready, failing })}\n`);
    },
  };
  const { metrics } = options;
  if (metrics !== undefined) {
    routes['/metrics'] = async (_request, response) => answer(response, 200, metrics.contentType, await metrics.text());
  }
  const server = createServer((request, response) => void serve(request, response, routes, options.onError));
  // Any program in the cluster may reach this port: slow and numerous clients must not pile up.
  server.headersTimeout = 5_000;
  server.requestTimeout = 10_000;
  server.maxConnections = 200;
  await new Promise<void>((listening, failed) => {
    server.once('error', failed);
    server.listen({ port: options.port, ...(options.host !== undefined && { host: options.host }) }, listening);
  });
  const { address, port } = server.address() as AddressInfo;
  return {
    host: address,
    port,
    paths: Object.keys(routes).sort(),
    async [Symbol.asyncDispose]() {
      const closed = new Promise((done) => server.close(done));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  routes: Readonly<Record<string, HealthRoute>>,
  onError: HealthOptions['onError'],
): Promise<void> {
  const path = (request.url ?? '').split('?', 1)[0] ?? '';
  request.resume();
  const route = Object.hasOwn(routes, path) ? routes[path] : undefined;
  if (route === undefined) return answer(response, 404, 'text/plain; charset=utf-8', 'not found\n');
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('allow', 'GET, HEAD');
    return answer(response, 405, 'text/plain; charset=utf-8', 'only GET and HEAD\n');
  }
  try {
    await route(request, response);
  } catch (error) {
    onError?.(error, path);
    if (response.headersSent) response.destroy();
    else answer(response, 500, 'text/plain; charset=utf-8', 'internal error, see the log\n');
  }
}

function answer(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, {
    'content-type': type,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  response.end(body);
}

/** The reasons of all failing checks, by name. */
async function runChecks(checks: Readonly<Record<string, HealthCheck>>): Promise<Record<string, string>> {
  const results = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => [name, await runCheck(check)] as const),
  );
  return Object.fromEntries(results.filter((result): result is readonly [string, string] => result[1] !== true));
}

async function runCheck(check: HealthCheck): Promise<true | string> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<string>((give) => {
    timer = setTimeout(give, checkTimeout, `no answer within ${checkTimeout} ms`);
  });
  try {
    return await Promise.race([check(), late]);
  } catch (error) {
    return `check failed: ${error instanceof Error ? error.message : String(error)}`;
  } finally {
    clearTimeout(timer);
  }
}
