/** A watch over HTTP: one JSON document per line until it ends. */
import type { ServerResponse } from 'node:http';
import type { Fault } from '../faults/fault.ts';
import type { KubeObject } from '../object.ts';
import type { ServedResource } from '../resources/definition.ts';
import { tableOf } from '../tables/table.ts';
import type { Target } from '../verbs/identity.ts';
import type { ListOptions } from '../verbs/list-options.ts';
import { type WatchSink, watchObjects } from '../verbs/watch.ts';
import { presentObject } from './present.ts';
import { goJson } from './reply.ts';
import type { RequestContext } from './request-context.ts';
import { failureStatus } from './status.ts';

/** A client that lags this far behind is disconnected, as by the real server; it lists again and continues. Bytes. */
const MAX_UNSENT = 16 * 1024 * 1024;

/** Streams a watch until the client disconnects, the timeout expires or the resource is removed. */
export function respondWithWatch(
  response: ServerResponse,
  context: RequestContext,
  target: Omit<Target, 'name'>,
  options: ListOptions,
): void {
  let ended = false;
  let silent = false;
  let watch: Disposable | undefined;
  const finish = (): void => {
    if (silent) return;
    ended = true;
    watch?.[Symbol.dispose]();
    response.end();
  };
  response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-cache, private' });
  // Clients start their timeouts with the headers, so these are sent before the first event.
  response.flushHeaders();
  const show = eventPresenter(context, target.resource);
  const write = (type: string, object: object): void => {
    if (ended || silent) return;
    response.write(`${goJson({ type, object })}\n`);
    if (response.writableLength > MAX_UNSENT) response.destroy();
  };
  const sink: WatchSink = {
    event: (type, object) => write(type, show(type, object)),
    error: (status) => write('ERROR', failureStatus(status)),
    end: finish,
  };
  const suffer = (kind: Fault['kind']): void => {
    if (ended) return;
    if (kind === 'silent-watch') silent = true;
    if (kind === 'dropped-watch') response.destroy();
    if (kind === 'expired-watch') {
      write('ERROR', failureStatus({ code: 410, reason: 'Expired', message: 'too old resource version' }));
      finish();
    }
  };
  const faults = context.faults.watching({ request: context.attributes, suffer });
  response.on('close', () => {
    ended = true;
    faults[Symbol.dispose]();
    watch?.[Symbol.dispose]();
  });
  if (ended) return;
  watch = watchObjects(context.reads, target, options, sink);
  if (ended) watch[Symbol.dispose]();
}

/** Only the first table of a watch has column definitions. */
function eventPresenter(
  context: RequestContext,
  resource: ServedResource,
): (type: string, object: KubeObject) => object {
  let heads = true;
  return (type, object) => {
    if (context.form.as !== 'table') return type === 'BOOKMARK' ? object : presentObject(context, resource, object);
    const metadata = { resourceVersion: object.metadata.resourceVersion ?? '' };
    const table = tableOf(type === 'BOOKMARK' ? [] : [object], {
      columns: resource.version.columns,
      include: context.query.get('includeObject'),
      now: context.cluster.clock.now(),
      metadata,
      heads,
    });
    heads = false;
    return table;
  };
}
