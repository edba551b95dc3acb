/** The HTTP API on 8090: what the server knows as JSON, read-only, each collection with a stream of its changes. */
import { type ServerType, serve } from '@hono/node-server';
import { ConfigError, type ListenAddress } from '@meshrelay/host';
import type { Logger } from '@meshrelay/telemetry';
import { Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import type { ChangeStream } from './change-stream.ts';
import { explained } from './explained.ts';
import { isLocalHostHeader, isLoopback } from './local-only.ts';
import { type ApiContext, type Item, listItems, RESOURCES, type Resource, type ResourceView } from './resources.ts';

export interface ApiOptions extends ApiContext {
  readonly listen: ListenAddress;
  readonly changes: ChangeStream;
  readonly logger: Logger;
}

export interface ApiServer extends AsyncDisposable {
  readonly port: number;
}

/**
 * Starts the API.
 * @throws ConfigError where it shall listen on more than loopback: there is no authentication yet
 */
export async function startApi({ listen, changes, logger, ...context }: ApiOptions): Promise<ApiServer> {
  if (!isLoopback(listen.host)) {
    throw new ConfigError(
      `http.listen: ${listen.host} can be reached by others, and the API has no authentication yet; use 127.0.0.1 and kubectl port-forward`,
    );
  }
  const app = createApi(context, changes, logger);
  const { server, port } = await new Promise<{ server: ServerType; port: number }>((done, failed) => {
    const starting = serve({ fetch: app.fetch, hostname: listen.host, port: listen.port }, ({ port: bound }) =>
      done({ server: starting, port: bound }),
    );
    starting.once('error', failed);
  });
  return {
    port,
    async [Symbol.asyncDispose]() {
      changes[Symbol.dispose]();
      const closed = new Promise((done) => server.close(done));
      if ('closeAllConnections' in server) server.closeAllConnections();
      await closed;
    },
  };
}

/** The routes. */
export function createApi(context: ApiContext, changes: ChangeStream, logger: Logger): Hono {
  const app = new Hono();
  app.use(async (c, next) => {
    if (!isLocalHostHeader(c.req.header('host')))
      return c.json({ error: 'this API answers requests to localhost only' }, 403);
    await next();
    c.header('cache-control', 'no-store');
    c.header('x-content-type-options', 'nosniff');
  });
  app.on(['POST', 'PUT', 'PATCH', 'DELETE'], '*', (c) =>
    c.json({ error: 'this API is read-only' }, 405, { allow: 'GET, HEAD' }),
  );
  app.get('/api/v1', (c) => c.json({ resources: Object.keys(RESOURCES), safeMode: context.safeMode() }));
  for (const [name, view] of Object.entries(RESOURCES) as [Resource, ResourceView][]) {
    app.get(`/api/v1/${name}`, (c) => {
      if (c.req.query('watch') === undefined) return c.json(page(listItems(context, name), c.req.query()));
      if (changes.full) return c.json({ error: 'too many streams are open; close one' }, 503);
      return streamSSE(
        c,
        async (stream) => {
          for await (const event of changes.events(name, stream)) await stream.writeSSE(event);
        },
        async (error) => logger.warn('a stream of changes failed', { resource: name, error }),
      );
    });
    app.get(`/api/v1/${name}/:id{.+}`, (c) => {
      const id = c.req.param('id');
      const item = view.item(context, view.keyOf(id));
      return item === undefined ? c.json({ error: `there is no ${view.singular} ${id}` }, 404) : c.json(item);
    });
  }
  app.get('/api/v1/explain/:object{.+}', (c) => {
    const answer = explained(context, c.req.param('object'));
    if ('document' in answer) return c.json(answer.document);
    const { problem, message, candidates } = answer;
    return c.json({ error: message, candidates }, problem === 'AMBIGUOUS' ? 409 : 404);
  });
  app.notFound((c) => c.json({ error: `there is no ${c.req.path}; see /api/v1` }, 404));
  app.onError((error, c) => {
    logger.error('API request failed', { path: c.req.path, error });
    return c.json({ error: 'internal error, see the log' }, 500);
  });
  return app;
}

/** The items after an id, at most `limit` of them; `next` is what to give as `after` for those that follow. */
function page(items: readonly Item[], { limit, after }: Readonly<Record<string, string>>): object {
  const rest = after === undefined ? items : items.filter(({ id }) => id > after);
  const size = /^[1-9]\d{0,8}$/.test(limit ?? '') ? Number(limit) : rest.length;
  const shown = rest.slice(0, size);
  return { items: shown, ...(shown.length < rest.length ? { next: shown.at(-1)?.id } : {}) };
}
