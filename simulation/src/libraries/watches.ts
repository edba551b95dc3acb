/** A watch of the simulated API server, with the interface and behaviour of the official client's. */
import { type ApiEvent, selects } from '../kube/api-server.ts';
import { parsePath, type ResourcePath } from '../kube/resource.ts';
import { type ApiHost, reach } from '../network/internet.ts';
import type { Scheduler } from '../runtime/scheduler.ts';

type Callback = (type: string, object: unknown, event?: unknown) => void;
type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** The shape of the official client's Watch, as the receiver of its method. */
interface WatchSettings {
  readonly config: { getCurrentCluster(): { readonly server: string } | null };
  /** Milliseconds without a byte after which the client gives the watch up. */
  readonly requestTimeoutMs: number;
}

/** Interval of the server's bookmarks, in milliseconds. */
const BOOKMARKS = 15_000;

/** Opens a watch. Resolves when the server has accepted or rejected it; `done` reports the end. */
export function openWatch(
  settings: WatchSettings,
  path: string,
  query: Query,
  callback: Callback,
  done: (error: unknown) => void,
): Promise<AbortController> {
  const { internet, process } = reach();
  const { network } = internet;
  const api = internet.apis.get(hostOf(settings.config.getCurrentCluster()?.server ?? '')) as ApiHost;
  const requested = watchOf(path, query);
  const back = network.channel(api.host, process.name, process);
  const controller = new AbortController();
  const opened = Promise.withResolvers<AbortController>();
  let unfollow = (): void => {};
  let over = false;
  const close = (): void => {
    unfollow();
    api.connections.delete(reset);
    process.atDeath.delete(close);
  };
  const end = (error: unknown): void => {
    if (over) return;
    over = true;
    clearTimeout(idleTimeoutMs);
    back.cut();
    close();
    controller.abort();
    done(error);
    opened.resolve(controller);
  };
  const timedOut = (): void => end(Object.assign(new Error('the watch timed out'), { name: 'TimeoutError' }));
  let idleTimeoutMs = setTimeout(timedOut, settings.requestTimeoutMs);
  const heard = (act: () => void): void => {
    if (over) return;
    clearTimeout(idleTimeoutMs);
    idleTimeoutMs = setTimeout(timedOut, settings.requestTimeoutMs);
    act();
  };
  // After a loss, an ordered connection delivers nothing more.
  let mute = false;
  const report = (type: string, object: unknown): void => {
    mute ||= api.faults.silent;
    if (mute) return;
    back.send(() => heard(() => callback(type, object, { type, object })));
  };
  // The connection breaks, and data in flight is lost.
  const reset = (): void => {
    close();
    network.transmit(api.host, process.name, process, () => end(new Error('ECONNRESET')));
  };
  back.onCut = reset;
  controller.signal.addEventListener('abort', () => end(null), { once: true });
  process.atDeath.add(close);
  network.transmit(process.name, api.host, undefined, () => {
    if (over || !process.alive) return;
    if (api.faults.down) return reset();
    api.connections.add(reset);
    const rejection = api.faults.errors > 0 && api.errorRandom() < api.faults.errors ? 500 : 200;
    if (rejection !== 200) {
      back.send(() => end(Object.assign(new Error('a simulated fault'), { statusCode: rejection })));
      return;
    }
    back.send(() => heard(() => opened.resolve(controller)));
    unfollow = follow(network.scheduler, { api, actor: process.id }, requested, report, () => {
      if (!mute) back.send(() => end(null));
    });
  });
  return opened.promise;
}

/** Changes since the requested version, and changes from now on. */
function follow(
  scheduler: Scheduler,
  { api: { server }, actor }: { readonly api: ApiHost; readonly actor: string },
  { path, query }: RequestedWatch,
  report: (type: string, object: unknown) => void,
  finish: () => void,
): () => void {
  const concerns = ({ resource, object }: ApiEvent): boolean =>
    resource === path?.resource &&
    (path.namespace === '' || object.metadata.namespace === path.namespace) &&
    selects(query, object);
  const missed = server.since(Number(query['resourceVersion'] ?? 0));
  if (missed === undefined) {
    server.expire(actor, path?.resource ?? '');
    report('ERROR', { kind: 'Status', code: 410, reason: 'Expired', message: 'too old resource version' });
    finish();
    return () => {};
  }
  const kindOf = ({ type, object }: ApiEvent): void => report(type, object);
  for (const event of missed) if (concerns(event)) kindOf(event);
  const bookmark = (): void =>
    report('BOOKMARK', { kind: 'Bookmark', metadata: { resourceVersion: String(server.version) } });
  const unfollow = server.follow((event) => {
    if (concerns(event)) kindOf(event);
  });
  let next = scheduler.after(BOOKMARKS, undefined, function again() {
    bookmark();
    next = scheduler.after(BOOKMARKS, undefined, again);
  });
  // The last bookmark lets the next watch resume from here.
  const expiry = scheduler.after(1_000 * Number(query['timeoutSeconds'] ?? 3_600), undefined, () => {
    bookmark();
    finish();
  });
  return () => {
    unfollow();
    next.cancelled = true;
    expiry.cancelled = true;
  };
}

/** The objects that a watch selects. */
interface RequestedWatch {
  readonly path: ResourcePath | undefined;
  readonly query: Readonly<Record<string, string>>;
}

const hosts = new Map<string, string>();
const inPaths = new Map<string, RequestedWatch>();

/** Cache: clients use the same few servers. */
function hostOf(server: string): string {
  const known = hosts.get(server) ?? new URL(server).hostname;
  hosts.set(server, known);
  return known;
}

/** The path includes parameters, with little variation. */
function watchOf(requested: string, more: Query): RequestedWatch {
  const known = inPaths.get(requested) ?? readWatch(requested);
  if (inPaths.size < 10_000) inPaths.set(requested, known);
  const query: Record<string, string> = { ...known.query };
  for (const [name, value] of Object.entries(more)) if (value !== undefined) query[name] = String(value);
  return { path: known.path, query };
}

function readWatch(requested: string): RequestedWatch {
  const { pathname, searchParams } = new URL(requested, 'https://any');
  return { path: parsePath(pathname), query: Object.fromEntries(searchParams) };
}
