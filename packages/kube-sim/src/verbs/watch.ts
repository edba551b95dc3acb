/** Watches: the changes of a collection as they happen. */
import type { ReadableCluster } from '../cluster.ts';
import type { ApiError, KubeObject } from '../object.ts';
import { inVersion } from '../resources/convert.ts';
import { apiVersionOf, type ServedResource } from '../resources/definition.ts';
import type { StoredEvent } from '../storage/event-history.ts';
import type { Target } from './identity.ts';
import type { ListOptions } from './list-options.ts';

/** Callbacks of a watch. */
export interface WatchSink {
  /** A change; the object must not be changed. */
  event(type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK', object: KubeObject): void;
  /** The watch cannot be served; it ends after this. */
  error(status: ApiError): void;
  /** The watch has ended. */
  end(): void;
}

/** Interval of bookmarks, and the time of the last one before the timeout of a watch. Milliseconds. */
const BOOKMARK_INTERVAL = 60_000;
const BOOKMARK_BEFORE_END = 2_000;
/** Default duration of a watch. Milliseconds. */
const LONGEST_WATCH = 2_700_000;
const INITIAL_EVENTS_END = 'k8s.io/initial-events-end';

/** Starts a watch; disposing the result ends it silently. */
export function watchObjects(
  cluster: ReadableCluster,
  target: Omit<Target, 'name'>,
  options: ListOptions,
  sink: WatchSink,
): Disposable {
  const { resource, namespace } = target;
  const collection = cluster.store.collection(resource.definition);
  const from = options.resourceVersion ?? 0;
  const filter = selection(resource, namespace, options);
  using started = new DisposableStack();

  if (from === 0 || options.sendInitialEvents) {
    for (const [, object] of collection.snapshot(namespace)) {
      const shown = inVersion(object, resource);
      if (filter.selects(shown)) sink.event('ADDED', shown);
    }
    if (options.sendInitialEvents && options.bookmarks)
      sink.event('BOOKMARK', bookmark(cluster, resource, { [INITIAL_EVENTS_END]: 'true' }));
  } else {
    const missed = collection.history.after(from);
    if (missed === undefined) {
      const { compactedThrough } = collection.history;
      sink.error({ code: 410, reason: 'Expired', message: `too old resource version: ${from} (${compactedThrough})` });
      sink.end();
      return started.move();
    }
    for (const event of missed) filter.deliver(event, sink);
  }

  const floor = options.sendInitialEvents ? 0 : from;
  const onEvent = (event: StoredEvent): void => {
    if (event.revision > floor) filter.deliver(event, sink);
  };
  const onClose = (): void => sink.end();
  started.use(collection.subscribe(onEvent, onClose));
  const lasts = options.timeoutSeconds === undefined ? LONGEST_WATCH : options.timeoutSeconds * 1000;
  if (options.bookmarks)
    for (const at of bookmarkTimes(lasts))
      started.use(cluster.clock.schedule(at, () => sink.event('BOOKMARK', bookmark(cluster, resource))));
  started.use(cluster.clock.schedule(lasts, onClose));
  return started.move();
}

function bookmarkTimes(lasts: number): number[] {
  const times: number[] = [];
  for (let at = BOOKMARK_INTERVAL; at < lasts - BOOKMARK_BEFORE_END; at += BOOKMARK_INTERVAL) times.push(at);
  return lasts > BOOKMARK_BEFORE_END ? [...times, lasts - BOOKMARK_BEFORE_END] : times;
}

function bookmark(
  cluster: ReadableCluster,
  resource: ServedResource,
  annotations?: Record<string, string>,
): KubeObject {
  const { definition, version } = resource;
  const metadata = {
    resourceVersion: String(cluster.store.revision),
    ...(annotations === undefined ? {} : { annotations }),
  };
  return {
    apiVersion: apiVersionOf(definition.group, version.name),
    kind: definition.kind,
    metadata: metadata as unknown as KubeObject['metadata'],
  };
}

interface Selection {
  selects(object: KubeObject): boolean;
  deliver(event: StoredEvent, sink: WatchSink): void;
}

function selection(resource: ServedResource, namespace: string, options: ListOptions): Selection {
  const selects = (object: KubeObject): boolean =>
    (namespace === '' || object.metadata.namespace === namespace) &&
    options.labels(object.metadata.labels) &&
    options.fields.matches(object);
  return {
    selects,
    deliver: ({ type, object, previous, revision }, sink) => {
      const now = inVersion(object, resource);
      const before = previous === undefined ? undefined : inVersion(previous, resource);
      const was = before !== undefined && selects(before);
      const is = type !== 'DELETED' && selects(now);
      if (is) sink.event(was ? 'MODIFIED' : 'ADDED', now);
      else if (was && type === 'DELETED') sink.event('DELETED', now);
      else if (was)
        sink.event('DELETED', { ...before, metadata: { ...before.metadata, resourceVersion: String(revision) } });
    },
  };
}
