/** The objects of one kind behind a list and a watch that keep Kubernetes' promises, and fail on demand. */
import type { KubeObject } from '@meshrelay/api';
import { KubeError } from '../src/errors.ts';
import type { WatchOptions } from '../src/mod.ts';

interface Event {
  readonly version: number;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: KubeObject;
}

interface Watcher {
  readonly report: (event: Event) => void;
  readonly end: (error: unknown) => void;
}

export class FakeCollection {
  readonly objects = new Map<string, KubeObject>();
  /** Every uid that was ever deleted. */
  readonly deleted = new Set<string>();
  /** Number of lists served, and of watches opened. */
  lists = 0;
  watches = 0;
  /** Thrown by each list, until removed. */
  listFault: Error | undefined;
  /** Lists are of this state, until removed: a result of `state`. */
  listState: { readonly version: number; readonly objects: readonly KubeObject[] } | undefined;
  /** Ends each attempt to watch, until removed. */
  watchFault: unknown;
  /** The result of discovery; an error if it does not answer. */
  served: boolean | Error = true;
  #version = 1;
  #events: Event[] = [];
  #forgotten = 0;
  #uid = 0;
  readonly #watchers = new Set<Watcher>();

  /** Creates or changes an object. */
  put(name: string, spec: unknown, namespace = 'default'): void {
    const id = `${namespace}/${name}`;
    const before = this.objects.get(id);
    const version = ++this.#version;
    const metadata = {
      name,
      namespace,
      uid: before?.metadata.uid ?? `uid-${++this.#uid}`,
      resourceVersion: String(version),
      managedFields: [{}],
    };
    const object: KubeObject = { apiVersion: 'ex.io/v1', kind: 'Widget', metadata, spec };
    this.objects.set(id, object);
    this.#record({ version, type: before === undefined ? 'ADDED' : 'MODIFIED', object });
  }

  delete(name: string, namespace = 'default'): void {
    const id = `${namespace}/${name}`;
    const object = this.objects.get(id);
    if (object === undefined) return;
    this.objects.delete(id);
    this.deleted.add(object.metadata.uid ?? '');
    const version = ++this.#version;
    const last = { ...object, metadata: { ...object.metadata, resourceVersion: String(version) } };
    this.#record({ version, type: 'DELETED', object: last });
  }

  /** All current objects. */
  get state(): NonNullable<FakeCollection['listState']> {
    return { version: this.#version, objects: [...this.objects.values()] };
  }

  /** Restores a state, and continues from there. */
  restore({ version, objects }: NonNullable<FakeCollection['listState']>): void {
    this.objects.clear();
    for (const object of objects) this.objects.set(`${object.metadata.namespace}/${object.metadata.name}`, object);
    this.#version = version;
    this.#events = [];
    this.#forgotten = version;
  }

  /** Drops history: watches from before it get 410. */
  compact(): void {
    this.#forgotten = this.#version;
    this.#events = [];
  }

  /** Ends all watches, normally or with an error. */
  cut(error: unknown = null): void {
    for (const watcher of [...this.#watchers]) watcher.end(error);
  }

  /** Sends an event that the collection did not produce. */
  inject(type: string, object: unknown): void {
    for (const watcher of this.#watchers) watcher.report({ version: 0, type, object } as Event);
  }

  get watchersNow(): number {
    return this.#watchers.size;
  }

  /** Replaces the API server for `watchKind`. */
  get options(): Required<Pick<WatchOptions, 'list' | 'openWatch' | 'serves'>> {
    return {
      list: async (take) => {
        await Promise.resolve();
        if (this.listFault !== undefined) throw this.listFault;
        this.lists++;
        const { version, objects } = this.listState ?? this.state;
        return { resourceVersion: String(version), items: objects.map(take) };
      },
      openWatch: async (_path, query, callback, done) => this.#open(Number(query['resourceVersion']), callback, done),
      serves: async () => {
        if (this.served instanceof Error) throw this.served;
        return this.served;
      },
    };
  }

  async #open(
    from: number,
    callback: (type: string, object: unknown) => void,
    done: (error: unknown) => void,
  ): Promise<AbortController> {
    await Promise.resolve();
    const controller = new AbortController();
    if (this.watchFault !== undefined) {
      done(this.watchFault);
      return controller;
    }
    this.watches++;
    const watcher: Watcher = {
      report: ({ type, object }) => callback(type, structuredClone(object)),
      end: (error) => {
        if (this.#watchers.delete(watcher)) done(error);
      },
    };
    this.#watchers.add(watcher);
    controller.signal.addEventListener('abort', () => watcher.end(controller.signal.reason));
    if (from < this.#forgotten || from > this.#version) {
      queueMicrotask(() => {
        callback('ERROR', { kind: 'Status', code: 410, reason: 'Expired' });
        watcher.end(null);
      });
    } else {
      for (const event of this.#events) if (event.version > from) watcher.report(event);
    }
    return controller;
  }

  #record(event: Event): void {
    this.#events.push(event);
    for (const watcher of this.#watchers) watcher.report(event);
  }
}

export const forbidden: KubeError = new KubeError('RELAY_E_KUBE_FORBIDDEN', 'list widgets: forbidden', { status: 403 });
export const notFound: KubeError = new KubeError('RELAY_E_KUBE_NOT_FOUND', '404 page not found', { status: 404 });
export const unavailable: KubeError = new KubeError('RELAY_E_KUBE_UNAVAILABLE', 'list widgets: 503', { status: 503 });
