/** The HTTP API on 8090: what the server knows as JSON, read-only, each collection with a stream of its changes. */
import { type ServerType, serve } from '@hono/node-server';
import type { ListenAddress } from '@meshrelay/host';
import { Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import { ChangeStream } from './change-stream.ts';
import { isLoopback } from './loopback.ts';
import { type ApiContext, listItems, RESOURCES, type Resource } from './resources.ts';

export interface ApiOptions extends ApiContext {
  readonly listen: ListenAddress;
}

export interface ApiServer extends AsyncDisposable {
  readonly port: number;
}

/**
 * Starts the API.
 * @throws Error where it shall listen on more than loopback: there is no authentication yet
 */
export async function startApi({ listen, ...context }: ApiOptions): Promise<ApiServer> {
  if (!isLoopback(listen.host)) {
    throw new Error(
      `http.listen: ${listen.host} can be reached by others, and the API has no authentication yet; use 127.0.0.1 and kubectl port-forward`,
    );
  }
  const changes = new ChangeStream(context);
  const app = createApi(context, changes);
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
export function createApi(context: ApiContext, changes: ChangeStream): Hono {
  const app = new Hono();
  app.get('/api/v1', (c) => c.json({ resources: RESOURCES, safeMode: context.safeMode() }));
  for (const resource of RESOURCES) {
    app.get(`/api/v1/${resource}`, (c) => {
      if (c.req.query('watch') === undefined) return c.json({ items: listItems(context, resource) });
      return streamSSE(c, async (stream) => {
        for await (const event of changes.events(resource, stream)) await stream.writeSSE(event);
      });
    });
    app.get(`/api/v1/${resource}/:id{.+}`, (c) => {
      const item = listItems(context, resource).find(({ id }) => id === c.req.param('id'));
      return item === undefined
        ? c.json({ error: `there is no ${singular(resource)} ${c.req.param('id')}` }, 404)
        : c.json(item);
    });
  }
  app.notFound((c) => c.json({ error: `there is no ${c.req.path}; see /api/v1` }, 404));
  return app;
}

function singular(resource: Resource): string {
  return resource === 'policies' ? 'policy' : resource === 'meshes' ? 'mesh' : resource.slice(0, -1);
}
