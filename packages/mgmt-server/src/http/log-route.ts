/**
 * `GET /api/v1/logs`: access logs of proxies in all clusters, as one answer, or with `follow` as a stream of events.
 */
import { clearInterval, clearTimeout, setInterval, setTimeout } from 'node:timers';
import { setTimeout as pause } from 'node:timers/promises';
import { ParameterError } from '@meshrelay/access-log-sink';
import { Semaphore } from '@meshrelay/concurrency';
import type { Logger } from '@meshrelay/telemetry';
import type { Context, Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import { searchLogs } from '../observe/log-search.ts';
import { tailLogs } from '../observe/log-tail.ts';
import type { AgentLookupContext } from '../observe/lookup-agent.ts';
import { type LogsRequest, parseLogsRequest } from '../observe/request-parameters.ts';
import { requestedClusters } from '../observe/requested-clusters.ts';

export interface LogRouteOptions {
  readonly context: AgentLookupContext;
  /** Milliseconds after which a stream ends; undefined: when the reader disconnects. */
  readonly streamMs: number | undefined;
  /** Each open stream takes one; other code counts them. */
  readonly streams: Semaphore;
  readonly logger: Logger;
}

/**
 * Maximum concurrent searches, and clusters followed at once by all readers. Each may buffer some hundred kilobytes
 * here.
 */
const SEARCHES = 8;
const FOLLOWED = 256;
/** Entries of each cluster at the start of a stream that requests history without a limit. */
const HISTORY = 1_000;
/** Milliseconds. */
const BEAT = 15_000;
const AGAIN = 1_000;

export function addLogRoute(app: Hono, { context, streamMs, streams, logger }: LogRouteOptions): void {
  const searches = new Semaphore(SEARCHES);
  const followed = new Semaphore(FOLLOWED);
  app.get('/api/v1/logs', async (c) => {
    const parameters = new URL(c.req.url).searchParams;
    let request: LogsRequest;
    try {
      request = parseLogsRequest(parameters);
      request = { ...request, clusters: requestedClusters(context.fleet, request.clusters) };
    } catch (error) {
      if (!(error instanceof ParameterError)) throw error;
      return c.json({ error: error.message }, 400);
    }
    if (parameters.has('follow')) {
      const history = parameters.has('limit') ? request.limit : request.query.since === undefined ? 0 : HISTORY;
      return follow(c, { ...request, history });
    }
    using seat = searches.take();
    if (seat === undefined) return c.json({ error: `${SEARCHES} log searches are running; try again later` }, 503);
    return c.json(await searchLogs(context, { ...request, signal: c.req.raw.signal }));
  });

  function follow(c: Context, request: LogsRequest & { readonly history: number }): Response {
    const semaphore = followed.take(request.clusters.length);
    if (semaphore === undefined) {
      const error = `all readers together can follow at most ${FOLLOWED} clusters; select clusters with cluster=NAME, or close another stream`;
      return c.json({ error }, 503);
    }
    return streamSSE(
      c,
      async (stream) => {
        using _open = streams.take();
        const gone = new AbortController();
        stream.onAbort(() => gone.abort());
        const last = streamMs === undefined ? undefined : setTimeout(() => stream.abort(), streamMs).unref();
        let writing = false;
        // Proxies on the path close idle connections.
        const beat = setInterval(() => void (writing || stream.write(': \n\n')), BEAT).unref();
        const tools = { ...context, now: () => new Date(), pause: (signal: AbortSignal) => moment(signal) };
        try {
          for await (const { type, data } of tailLogs(tools, { ...request, signal: gone.signal })) {
            writing = true;
            await stream.writeSSE({ event: type, data: JSON.stringify(data) });
            writing = false;
            if (gone.signal.aborted) return;
          }
        } finally {
          clearInterval(beat);
          clearTimeout(last);
          gone.abort();
          semaphore[Symbol.dispose]();
        }
      },
      async (error) => logger.warn('a stream of logs failed', { error }),
    );
  }
}

async function moment(signal: AbortSignal): Promise<void> {
  // The waiting code sees the abort.
  await pause(AGAIN, undefined, { signal, ref: false }).catch(() => undefined);
}
