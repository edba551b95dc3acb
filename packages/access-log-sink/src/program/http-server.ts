/** Serves /healthz, /readyz, /metrics and /logs over HTTP, without authentication. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { entryLine } from '../export/entry-json.ts';
import { PROMETHEUS_TYPE } from '../metrics/prometheus-text.ts';
import type { LogQuery } from '../query/log-query.ts';
import { limitOf, logQueryOf, ParameterError, QUERY_PARAMETERS, refuseUnknown } from '../query/query-parameters.ts';
import type { AccessLogSink } from '../sink/access-log-sink.ts';

export interface HttpOptions {
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  readonly sink: AccessLogSink;
  /** Content of /metrics. */
  readonly metrics: () => string;
  /** Whether entries are accepted: false during shutdown. */
  readonly ready: () => boolean;
}

const MAX_CONNECTIONS = 10_000;
const PARAMETERS = [...QUERY_PARAMETERS, 'limit', 'follow'];

/** @throws the listen error */
export async function serveHttp(options: HttpOptions): Promise<AsyncDisposable & { readonly port: number }> {
  const server = createServer((request, response) => {
    answer(request, response, options).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else
        end(
          response,
          error instanceof ParameterError ? 400 : 500,
          error instanceof ParameterError ? error.message : 'internal error',
        );
    });
  });
  server.headersTimeout = 5_000;
  server.maxConnections = 200;
  server.listen(options.port, options.host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, options: HttpOptions): Promise<void> {
  const { sink, metrics, ready } = options;
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://sink');
  if (request.method !== 'GET') return end(response, 405, 'only GET');
  switch (pathname) {
    case '/healthz':
      return end(response, 200, 'ok');
    case '/readyz':
      return ready() ? end(response, 200, 'ready') : end(response, 503, 'ending');
    case '/metrics':
      return end(response, 200, metrics(), PROMETHEUS_TYPE);
    case '/logs':
      return searchParams.has('follow') ? follow(response, sink, searchParams) : logs(response, sink, searchParams);
    default:
      return end(response, 404, 'not found; there are /healthz, /readyz, /metrics, /logs');
  }
}

async function logs(response: ServerResponse, sink: AccessLogSink, parameters: URLSearchParams): Promise<void> {
  const limit = limitOf(parameters.get('limit') ?? undefined, { max: MAX_CONNECTIONS, fallback: 1_000 });
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const { entries, more } = await sink.search(queryOf(parameters), { limit, signal: gone.signal });
  response.setHeader('meshrelay-more', `${more}`);
  end(response, 200, entries.map(entryLine).join('\n'), 'application/x-ndjson');
}

function queryOf(parameters: URLSearchParams): LogQuery {
  refuseUnknown(parameters, PARAMETERS);
  return logQueryOf(parameters);
}

/** Streams until the reader disconnects. Entries that a slow reader loses are reported between the lines. */
async function follow(response: ServerResponse, sink: AccessLogSink, parameters: URLSearchParams): Promise<void> {
  using tail = sink.tail(queryOf(parameters));
  response.once('close', () => tail[Symbol.dispose]());
  response.writeHead(200, { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' });
  response.flushHeaders();
  for await (const { entries, lost } of tail) {
    const lines = [...(lost > 0 ? [JSON.stringify({ lost })] : []), ...entries.map(entryLine)];
    if (!response.write(`${lines.join('\n')}\n`))
      await Promise.race([once(response, 'drain'), once(response, 'close')]);
  }
  response.end();
}

function end(response: ServerResponse, status: number, body: string, type = 'text/plain; charset=utf-8'): void {
  response.writeHead(status, {
    'content-type': type,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  response.end(body === '' || body.endsWith('\n') ? body : `${body}\n`);
}
