/** The HTTP API on 8090: the server's state as JSON, read-only, each collection with a stream of its changes. */
import { createServer, Server } from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';
import { type ServerType, serve } from '@hono/node-server';
import { limitOf, ParameterError } from '@meshrelay/access-log-sink';
import { Semaphore } from '@meshrelay/concurrency';
import { ConfigError } from '@meshrelay/host';
import type { Reviews } from '@meshrelay/kube';
import type { Logger } from '@meshrelay/telemetry';
import { Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import type { HttpConfig } from '../config/config.ts';
import { TrafficSampler } from '../observe/traffic-sampler.ts';
import type { ReplicaProgram } from '../replicas/replica-programs.ts';
import { convergence } from '../status/convergence.ts';
import { addAgentRoute } from './agent-route.ts';
import { bearerOnly } from './auth/bearer-only.ts';
import { CertificateFiles } from './auth/certificate-files.ts';
import type { Guard } from './auth/guard.ts';
import { guardOf } from './auth/guard-of.ts';
import type { ChangeStream } from './change-stream.ts';
import { explained } from './explained.ts';
import { isLoopback, localOnly } from './local-only.ts';
import { addLogRoute } from './log-route.ts';
import { type ApiContext, type Item, listItems, RESOURCES, type Resource, type ResourceView } from './resources.ts';
import { addTrafficRoute } from './traffic-route.ts';

export interface ApiOptions extends ApiContext {
  readonly http: HttpConfig;
  readonly programs: RouteOptions['programs'];
  /** Reviews of users by the management cluster. */
  readonly reviews: Pick<Reviews, 'userOf' | 'mayUsePath'>;
  readonly now: () => Date;
  readonly changes: ChangeStream;
  /** Receives the expiry of the API's certificate, each time the certificate changes. */
  readonly onCertificate: (end: Date) => void;
  readonly logger: Logger;
}

export interface ApiServer extends AsyncDisposable {
  readonly port: number;
  /** Open log streams. */
  readonly logStreams: number;
  /** Clusters with stored traffic samples. */
  readonly sampled: number;
}

/**
 * Starts the API.
 * @throws ConfigError if every client could read it, if tokens would travel unencrypted, or if the certificate cannot
 * be used
 */
export async function startApi({
  http,
  programs,
  reviews,
  now,
  changes,
  onCertificate,
  logger,
  ...context
}: ApiOptions): Promise<ApiServer> {
  refuseUnsafe(http);
  const guard = http.auth === undefined ? undefined : guardOf(http.auth, reviews, now);
  using opened = new DisposableStack();
  const sampler = opened.use(new TrafficSampler({ ...context, now: () => performance.now(), sleep }));
  const logStreams = new Semaphore(Number.POSITIVE_INFINITY);
  const app = createApi({ context, programs, changes, guard, logger, sampler, logStreams });
  const tls = http.tls === undefined ? undefined : new CertificateFiles(http.tls, { onCertificate, logger });
  const { server, port } = await new Promise<{ server: ServerType; port: number }>((done, failed) => {
    const starting = serve(
      {
        fetch: app.fetch,
        hostname: http.listen.host,
        port: http.listen.port,
        ...(tls === undefined ? {} : { createServer, serverOptions: tls.pair }),
      },
      ({ port: bound }) => done({ server: starting, port: bound }),
    );
    starting.once('error', failed);
  });
  if (server instanceof Server) tls?.serve(server);
  const rest = opened.move();
  return {
    port,
    get logStreams() {
      return logStreams.taken;
    },
    get sampled() {
      return sampler.size;
    },
    async [Symbol.asyncDispose]() {
      changes[Symbol.dispose]();
      rest[Symbol.dispose]();
      tls?.[Symbol.dispose]();
      const closed = new Promise((done) => server.close(done));
      if ('closeAllConnections' in server) server.closeAllConnections();
      await closed;
    },
  };
}

/** Rejects configurations that expose the API without authentication, or tokens without TLS. */
function refuseUnsafe({ listen: { host }, auth, tls }: HttpConfig): void {
  if (isLoopback(host)) return;
  if (auth === undefined)
    throw new ConfigError(
      `http.listen: other machines can reach ${host}, and http.auth is not set; set it, or use 127.0.0.1 and kubectl port-forward`,
    );
  if (tls === undefined)
    throw new ConfigError(
      `http.listen: other machines can reach ${host}, and tokens would be sent unencrypted; set http.tls, or use 127.0.0.1 behind a proxy in the same pod`,
    );
}

export interface RouteOptions {
  readonly context: ApiContext;
  /** Version of each replica. */
  readonly programs: () => readonly ReplicaProgram[];
  readonly changes: ChangeStream;
  /** Decides who may read; undefined admits every client on this machine. */
  readonly guard?: Guard | undefined;
  readonly logger: Logger;
  readonly sampler: TrafficSampler;
  /** Each log stream takes one. */
  readonly logStreams: Semaphore;
}

export function createApi({ context, programs, changes, guard, logger, sampler, logStreams }: RouteOptions): Hono {
  const app = new Hono();
  app.use(async (c, next) => {
    await next();
    c.header('cache-control', 'no-store');
    c.header('x-content-type-options', 'nosniff');
  });
  // Runs before any route is matched, so that every route is covered.
  app.use(guard === undefined ? localOnly : bearerOnly(guard, logger));
  app.on(['POST', 'PUT', 'PATCH', 'DELETE'], '*', (c) =>
    c.json({ error: 'this API is read-only; make changes with kubectl or meshctl' }, 405, { allow: 'GET, HEAD' }),
  );
  app.get('/api/v1', (c) =>
    c.json({
      replicas: programs(),
      resources: Object.keys(RESOURCES),
      safeMode: context.safeMode(),
      convergence: convergence(context),
    }),
  );
  addAgentRoute(app, context);
  // A withdrawn permission ends with the stream: the reader reconnects and is checked again.
  const streamMs = guard === undefined ? undefined : GUARDED_STREAM_MS;
  addLogRoute(app, { context, streamMs, streams: logStreams, logger });
  addTrafficRoute(app, { context, sampler });
  for (const [name, view] of Object.entries(RESOURCES) as [Resource, ResourceView][]) {
    app.get(`/api/v1/${name}`, async (c) => {
      await view.ready?.(context);
      if (c.req.query('watch') === undefined) {
        try {
          return c.json(page(listItems(context, name), c.req.query()));
        } catch (error) {
          if (!(error instanceof ParameterError)) throw error;
          return c.json({ error: error.message }, 400);
        }
      }
      if (changes.full) return c.json({ error: 'too many streams are open; close one' }, 503);
      return streamSSE(
        c,
        async (stream) => {
          const last = streamMs === undefined ? undefined : setTimeout(() => stream.abort(), streamMs).unref();
          for await (const event of changes.events(name, stream)) await stream.writeSSE(event);
          clearTimeout(last);
        },
        async (error) => logger.warn('a stream of changes failed', { resource: name, error }),
      );
    });
    app.get(`/api/v1/${name}/:id{.+}`, async (c) => {
      await view.ready?.(context);
      const id = c.req.param('id');
      const item = view.item(context, view.keyOf(id));
      return item === undefined
        ? c.json({ error: `${view.singular} ${id} does not exist; see /api/v1/${name}` }, 404)
        : c.json(item);
    });
  }
  app.get('/api/v1/explain/:object{.+}', async (c) => {
    // Subjects may have the names that the management cluster shows.
    await context.fleet.shown();
    const answer = explained(context, c.req.param('object'));
    if ('document' in answer) return c.json(answer.document);
    const { problem, message, candidates } = answer;
    return c.json({ error: message, candidates }, problem === 'AMBIGUOUS' ? 409 : 404);
  });
  app.notFound((c) => c.json({ error: `no such path: ${c.req.path}; see /api/v1` }, 404));
  app.onError((error, c) => {
    logger.error('API request failed', { path: c.req.path, error });
    return c.json({ error: 'internal error; see the log of the server' }, 500);
  });
  return app;
}

/** Milliseconds after which the stream of an authenticated reader ends. */
const GUARDED_STREAM_MS = 300_000;

/** Maximum number of items in one answer, also without a limit in the request. */
const MAX_ITEMS = 999_999;

/**
 * The items after an id, at most `limit` of them; `next` is the `after` of the following page. @throws ParameterError
 */
function page(items: readonly Item[], { limit, after }: Readonly<Record<string, string>>): object {
  const rest = after === undefined ? items : items.filter(({ id }) => id > after);
  const shown = rest.slice(0, limitOf(limit, { max: MAX_ITEMS, fallback: MAX_ITEMS }));
  return { items: shown, ...(shown.length < rest.length ? { next: shown.at(-1)?.id } : {}) };
}

/** @throws the signal's reason when it is aborted */
async function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  await pause(milliseconds, undefined, { ref: false, ...(signal === undefined ? {} : { signal }) });
}
