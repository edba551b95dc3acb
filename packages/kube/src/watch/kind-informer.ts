/** One run of the official client's informer: from a complete list through watches to its first failure. */
import { ListWatch } from '@kubernetes/client-node';
import type { KubeObject } from '@meshrelay/api';
import type { Clock } from '@meshrelay/concurrency';
import type { ResourceKind } from '@meshrelay/relay-core';
import type { KubeConnection } from '../connect/kube-connection.ts';
import { KubeError } from '../errors.ts';
import { type CompleteList, pagedList } from '../objects/paged-list.ts';
import { collectionPath, type ObjectKey } from '../objects/resource-path.ts';
import { answerError } from '../status-error.ts';
import { CacheEntry, type ObjectVersion, versionOf } from './cache-entry.ts';
import { ChangeBatch, idOf } from './change-batch.ts';
import type { KindSink } from './kind-sink.ts';
import type { WatchObserver } from './kind-state.ts';
import { NewestVersion } from './newest-version.ts';
import { type OpenWatch, TameWatch } from './tame-watch.ts';

/** Dependencies of an informer. */
export interface InformerOptions {
  readonly connection: KubeConnection;
  readonly kind: ResourceKind;
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  readonly transform: (object: KubeObject) => KubeObject;
  readonly sink: KindSink;
  readonly observer: WatchObserver;
  readonly clock: Clock;
  readonly random: () => number;
  /** A complete list was passed to the sink. */
  readonly onComplete: () => void;
  /** A watch was opened after the last complete list. */
  readonly onOpened: () => void;
  /** Lists instead of the API server, for tests. */
  readonly list?: ((take: (object: KubeObject) => CacheEntry) => Promise<CompleteList<CacheEntry>>) | undefined;
  /** Watches instead of the API server, for tests. */
  readonly openWatch?: OpenWatch | undefined;
}

/** Idle time after which a watch counts as dead. The server ends each watch earlier, after a bookmark. */
const inactivity = 60_000;

/** Maximum delay of the client's informer before it reopens a watch that ended normally. */
const longestRewatchPause = 5_000;

/**
 * Feeds the sink. `untilFailure` starts or resumes it. After a failure it may be resumed from the last version seen,
 * and lists again only if that has expired. Once broken (the sink threw), it must be replaced.
 */
export class KindInformer {
  readonly #options: InformerOptions;
  readonly #watch: TameWatch;
  readonly #informer: ListWatch<CacheEntry>;
  readonly #batch = new ChangeBatch();
  readonly #versions = new Map<string, ObjectVersion>();
  readonly #newest = new NewestVersion();
  #first = true;
  #listed = false;
  #flushing = false;
  #stopped = false;
  #broken = false;
  readonly #aborted = new AbortController();
  #failed: (error: unknown) => void = () => {};

  constructor(options: InformerOptions) {
    this.#options = options;
    const { connection, kind, namespace, labelSelector, fieldSelector, clock, random } = options;
    const hooks = {
      opening: () => this.#complete(),
      opened: () => options.onOpened(),
      event: (type: string, object: unknown) => this.#event(type, object as KubeObject | undefined),
      failure: (object: unknown) => watchFailure(kind, object),
    };
    this.#watch = new TameWatch(connection.config, inactivity, hooks, options.openWatch);
    // Bookmarks arrive shortly before the server ends the watch, so that the version of a quiet kind never expires.
    const seconds = 40 + Math.floor(10 * random());
    const path = `${collectionPath(kind, namespace)}?allowWatchBookmarks=true&timeoutSeconds=${seconds}`;
    const delayFn = (milliseconds: number): Promise<void> =>
      clock.sleep(Math.min(milliseconds, longestRewatchPause) * (0.5 + random() / 2));
    const list = (): Promise<{ metadata: { resourceVersion: string }; items: CacheEntry[] }> => this.#list();
    this.#informer = new ListWatch(path, this.#watch, list, false, labelSelector, fieldSelector, { delayFn });
    this.#informer.on('add', (entry) => this.#upserted(entry));
    this.#informer.on('update', (entry) => this.#upserted(entry));
    this.#informer.on('delete', (entry) => this.#removed(entry.metadata));
    this.#informer.on('error', (error: unknown) => this.#failed(error));
  }

  /** Number of known objects. */
  get size(): number {
    return this.#versions.size;
  }

  /** Whether it must be replaced. */
  get broken(): boolean {
    return this.#broken;
  }

  /** The last seen version of an object. */
  version(key: ObjectKey): ObjectVersion | undefined {
    return this.#versions.get(idOf(key));
  }

  /** Starts or resumes; resolves with the reason when it stops. */
  untilFailure(): Promise<unknown> {
    return new Promise((resolve) => {
      this.#failed = resolve;
      this.#informer.start().catch(resolve);
    });
  }

  /** Stops it permanently; the sink gets no more calls. */
  stop(): void {
    this.#stopped = true;
    this.#aborted.abort();
    this.#batch.clear();
    this.#watch.stop();
    void this.#informer.stop();
    this.#failed(undefined);
  }

  async #list(): Promise<{ metadata: { resourceVersion: string }; items: CacheEntry[] }> {
    const { connection, kind, namespace, labelSelector, fieldSelector, clock, observer } = this.#options;
    const start = clock.now();
    const take = (object: KubeObject): CacheEntry => this.#take(object);
    const { resourceVersion, items } = await (this.#options.list?.(take) ??
      pagedList(connection, kind, { namespace, labelSelector, fieldSelector, take, signal: this.#aborted.signal }));
    observer.listed?.(items.length, clock.now() - start);
    const { seen } = this.#newest;
    if (!this.#newest.mayTake(resourceVersion))
      throw new KubeError(
        'RELAY_E_KUBE_UNAVAILABLE',
        `list ${kind.plural}: the API server answered state ${resourceVersion} after state ${seen} was seen`,
      );
    this.#listed = true;
    return { metadata: { resourceVersion }, items };
  }

  /** Adds an object; for one that cannot be transformed only the version is stored. */
  #take(object: KubeObject): CacheEntry {
    const version = versionOf(object.metadata);
    try {
      return new CacheEntry(version, this.#options.transform(object));
    } catch (error) {
      this.#options.observer.faulty?.(idOf(version), error);
      return new CacheEntry(version, undefined);
    }
  }

  /** Called right after the informer has handled a list, before it watches. */
  #complete(): void {
    if (!this.#listed) return;
    this.#listed = false;
    const { sink, onComplete } = this.#options;
    this.#give(() => {
      if (this.#first) this.#batch.flushAll(sink);
      else this.#batch.flush(sink, true);
      this.#first = false;
      onComplete();
    });
  }

  /** The fields that the informer needs in an event; it fails on an event without a version. */
  #event(type: string, object: KubeObject | undefined): unknown {
    this.#options.observer.event?.(type);
    if (type === 'ERROR') return object ?? {};
    this.#newest.saw(object?.metadata?.resourceVersion);
    if (object?.metadata?.resourceVersion === undefined) return undefined;
    switch (type) {
      case 'ADDED':
      case 'MODIFIED':
        return this.#take(object);
      case 'DELETED':
        return new CacheEntry(versionOf(object.metadata), undefined);
      case 'BOOKMARK':
        return object;
      default:
        return undefined;
    }
  }

  #upserted(entry: CacheEntry): void {
    const id = idOf(entry.metadata);
    const before = this.#versions.get(id);
    this.#versions.set(id, entry.metadata);
    const recreated = before !== undefined && before.uid !== entry.metadata.uid;
    const object = entry.take();
    if (object !== undefined) this.#batch.upsert(object, recreated);
    // The old incarnation is deleted even if the new one cannot be transformed.
    else if (recreated) this.#batch.remove(entry.metadata);
    this.#flushSoon();
  }

  #removed(version: ObjectVersion): void {
    this.#versions.delete(idOf(version));
    this.#batch.remove({ namespace: version.namespace, name: version.name });
    this.#flushSoon();
  }

  #flushSoon(): void {
    // While a list is handled, the changes wait for its end.
    if (this.#flushing || this.#listed) return;
    this.#flushing = true;
    setImmediate(() => {
      this.#flushing = false;
      if (this.#stopped || this.#first || this.#listed) return;
      const count = this.#batch.size;
      this.#give(() => this.#batch.flush(this.#options.sink));
      this.#options.observer.flushed?.(count);
    });
  }

  /** Calls the sink; after an error its content is unknown. */
  #give(calls: () => void): void {
    try {
      calls();
    } catch (error) {
      this.#broken = true;
      this.#watch.stop();
      this.#failed(error);
    }
  }
}

/** The informer handles an expired version itself; any other error ends the watch with the server's message. */
function watchFailure(kind: ResourceKind, object: unknown): unknown {
  const { code } = (object ?? {}) as { code?: number };
  if (code === 410) return undefined;
  return answerError(`watch ${kind.plural}`, { status: code ?? 500, body: JSON.stringify(object ?? null) });
}
