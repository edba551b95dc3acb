/** A simulated Kubernetes API server: versioned objects, their history, watches, and preconditions of writes. */
import type { KubeObject } from '@meshrelay/api';
import { equalJson, equalMeaning } from './equal-json.ts';
import { applyOver, mergePatch } from './merge.ts';
import { parsePath, type ResourcePath } from './resource.ts';

/** One request, as it arrives. */
export interface ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly contentType: string;
  /** The process that sent it; '' for users. */
  readonly actor: string;
  /** When it was sent, in simulated milliseconds; defaults to now. */
  readonly sentAt?: number;
}

export interface ApiAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** A write that landed; invariants are checked on these. */
export interface Write {
  readonly at: number;
  /** When its request was sent. */
  readonly sentAt: number;
  readonly version: number;
  readonly actor: string;
  readonly resource: string;
  readonly id: string;
  readonly before: KubeObject | undefined;
  readonly after: KubeObject | undefined;
}

/** An event of a watch. */
export interface ApiEvent {
  readonly version: number;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly resource: string;
  readonly object: KubeObject;
}

interface Stored {
  readonly object: KubeObject;
  /** What each field manager applied last, by manager and subresource. */
  readonly applied: ReadonlyMap<string, unknown>;
}

/** Rejects with a Kubernetes status. */
class ApiRejection extends Error {
  readonly status: number;
  readonly reason: string;

  constructor(status: number, reason: string, message: string) {
    super(message);
    this.status = status;
    this.reason = reason;
  }
}

export class ApiServer {
  readonly name: string;
  /** All changes, in order. */
  readonly history: Write[] = [];
  /** Called with each change. */
  onWrite: (write: Write) => void = () => {};
  readonly #now: () => number;
  readonly #objects = new Map<string, Map<string, Stored>>();
  readonly #events: ApiEvent[] = [];
  readonly #followers = new Set<(event: ApiEvent) => void>();
  /** The past state that lists after a gap return; undefined: the current state. */
  #lists: { readonly version: number; readonly objects: ReadonlyMap<string, readonly Stored[]> } | undefined;
  /** Clients and resources that must list again after a gap. */
  readonly #relisting = new Set<string>();
  #version = 1;
  #compacted = 0;
  #uids = 0;
  /** When the request being answered was sent. */
  #sentAt: number | undefined;

  constructor(name: string, now: () => number) {
    this.name = name;
    this.#now = now;
  }

  get version(): number {
    return this.#version;
  }

  /**
   * Lists after a gap return the current state from now on: the replica that serves lists lags behind the one that
   * serves watches.
   */
  keepLists(): void {
    const objects = [...this.#objects].map(([resource, stored]) => [resource, [...stored.values()]] as const);
    this.#lists = { version: this.#version, objects: new Map(objects) };
  }

  freshenLists(): void {
    this.#lists = undefined;
  }

  /** A process learned that its watch of a resource is too old: it will list again. */
  expire(actor: string, resource: string): void {
    this.#relisting.add(`${actor} ${resource}`);
  }

  /** Drops the history of changes: watches that resume from it get 410. */
  compact(): void {
    this.#compacted = this.#version;
    this.#events.length = 0;
  }

  /** @returns a function that ends it */
  follow(follower: (event: ApiEvent) => void): () => void {
    this.#followers.add(follower);
    return () => this.#followers.delete(follower);
  }

  /** The changes after a version; undefined if they were dropped. */
  since(version: number): readonly ApiEvent[] | undefined {
    return version < this.#compacted ? undefined : this.#events.filter((event) => event.version > version);
  }

  get(resource: string, namespace: string, name: string): KubeObject | undefined {
    return this.#objects.get(resource)?.get(`${namespace}/${name}`)?.object;
  }

  list(resource: string): KubeObject[] {
    return [...(this.#objects.get(resource)?.values() ?? [])].map(({ object }) => object);
  }

  /** All objects, with their storage keys. */
  *all(): Generator<readonly [resource: string, object: KubeObject]> {
    for (const [resource, objects] of this.#objects)
      for (const { object } of objects.values()) yield [resource, object];
  }

  /** Answers a request other than a watch. */
  handle(request: ApiRequest): ApiAnswer {
    const path = parsePath(request.path);
    if (path === undefined) return { status: 200, body: { kind: 'APIResourceList', resources: [] } };
    this.#sentAt = request.sentAt;
    try {
      return { status: request.method === 'POST' ? 201 : 200, body: this.#answer(request, path) };
    } catch (error) {
      if (!(error instanceof ApiRejection)) throw error;
      const { status, reason, message } = error;
      return { status, body: { kind: 'Status', apiVersion: 'v1', status: 'Failure', code: status, reason, message } };
    } finally {
      this.#sentAt = undefined;
    }
  }

  /** A user's change, which is never rejected. The status remains, unless the change sets one. */
  put(resource: string, object: KubeObject): void {
    const { namespace = '', name } = object.metadata;
    const before = this.#stored(resource, namespace, name);
    const { status } = (before?.object ?? {}) as { status?: unknown };
    const whole = { ...(status === undefined ? {} : { status }), ...object };
    this.#store(resource, before, whole, before?.applied ?? new Map(), '');
  }

  /** A user's deletion. */
  drop(resource: string, namespace: string, name: string): void {
    const stored = this.#stored(resource, namespace, name);
    if (stored !== undefined) this.#remove(resource, stored, '');
  }

  #answer(request: ApiRequest, path: ResourcePath): unknown {
    const { method, body, actor } = request;
    const { resource, namespace, name } = path;
    if (name === undefined && method === 'GET') return this.#list(path, request);
    if (name === undefined) return this.#create(path, body as KubeObject, actor);
    const stored = this.#stored(resource, namespace, name);
    if (method === 'PATCH') return this.#patch(request, path, stored);
    if (stored === undefined) throw new ApiRejection(404, 'NotFound', `${resource} "${name}" not found`);
    switch (method) {
      case 'GET':
        return stored.object;
      case 'PUT':
        return this.#replace(resource, stored, body as KubeObject, actor);
      case 'DELETE':
        return this.#delete(resource, stored, body, actor);
      default:
        throw new ApiRejection(405, 'MethodNotAllowed', method);
    }
  }

  #list({ resource, namespace }: ResourcePath, { query, actor }: ApiRequest): unknown {
    const old = this.#relisting.has(`${actor} ${resource}`) ? this.#lists : undefined;
    if (old === undefined) this.#relisting.delete(`${actor} ${resource}`);
    const all = old === undefined ? this.list(resource) : (old.objects.get(resource) ?? []).map(({ object }) => object);
    const items = all
      .filter((object) => (namespace === '' || object.metadata.namespace === namespace) && selects(query, object))
      .sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1));
    const limit = Number(query['limit'] ?? 0);
    if (query['continue'] === undefined && (limit === 0 || items.length <= limit))
      return { kind: 'List', metadata: { resourceVersion: String(old?.version ?? this.#version) }, items };
    // All pages of a list return one state: if it has changed, the continue token expires.
    const [version = this.#version, from = 0] = (query['continue'] ?? '').split('/').filter(Boolean).map(Number);
    if (version !== this.#version) throw new ApiRejection(410, 'Expired', 'the continue token is too old');
    const rest = from + limit < items.length ? { continue: `${version}/${from + limit}` } : {};
    return {
      kind: 'List',
      metadata: { resourceVersion: String(version), ...rest },
      items: items.slice(from, from + limit),
    };
  }

  #create({ resource, namespace }: ResourcePath, body: KubeObject, actor: string): KubeObject {
    const { name } = body.metadata;
    if (this.#stored(resource, namespace, name) !== undefined)
      throw new ApiRejection(409, 'AlreadyExists', `${resource} "${name}" already exists`);
    const { resourceVersion: _, ...metadata } = body.metadata;
    const object = { ...body, metadata: { ...metadata, ...(namespace === '' ? {} : { namespace }) } };
    return this.#store(resource, undefined, object, new Map(), actor);
  }

  #replace(resource: string, stored: Stored, body: KubeObject, actor: string): KubeObject {
    refuseOther(stored.object, body.metadata);
    return this.#store(resource, stored, body, stored.applied, actor);
  }

  #delete(resource: string, stored: Stored, body: unknown, actor: string): unknown {
    const { preconditions = {} } = (body ?? {}) as { preconditions?: { uid?: string; resourceVersion?: string } };
    refuseOther(stored.object, preconditions);
    this.#remove(resource, stored, actor);
    return { kind: 'Status', status: 'Success' };
  }

  #patch(request: ApiRequest, path: ResourcePath, stored: Stored | undefined): KubeObject {
    const { contentType, body, query, actor } = request;
    const { resource, namespace, name = '', part } = path;
    const notFound = (): ApiRejection => new ApiRejection(404, 'NotFound', `${resource} "${name}" not found`);
    if (!contentType.includes('apply-patch')) {
      if (stored === undefined) throw notFound();
      const object = mergePatch(stored.object, body) as KubeObject;
      return this.#store(resource, stored, object, stored.applied, actor);
    }
    const given = body as KubeObject;
    if (stored === undefined && part !== undefined) throw notFound();
    const { uid, resourceVersion, ...metadata } = given.metadata;
    if (stored !== undefined) refuseOther(stored.object, { uid, resourceVersion });
    // An apply with a resourceVersion of a missing object creates it; so does one without.
    else if (uid !== undefined) throw new ApiRejection(409, 'Conflict', 'uid mismatch: the object is gone');
    const manager = `${query['fieldManager']}/${part ?? ''}`;
    const expected = part === 'status' ? statusOf(given) : { ...given, metadata };
    const object = applyOver(stored?.object, stored?.applied.get(manager), expected) as KubeObject;
    const whole = { ...object, metadata: { ...object.metadata, name, ...(namespace === '' ? {} : { namespace }) } };
    return this.#store(resource, stored, whole, new Map([...(stored?.applied ?? []), [manager, expected]]), actor);
  }

  #stored(resource: string, namespace: string, name: string): Stored | undefined {
    return this.#objects.get(resource)?.get(`${namespace}/${name}`);
  }

  #store(
    resource: string,
    before: Stored | undefined,
    object: KubeObject,
    applied: ReadonlyMap<string, unknown>,
    actor: string,
  ): KubeObject {
    const old = before?.object;
    const metadata = {
      ...object.metadata,
      uid: old?.metadata.uid ?? `uid-${this.name}-${++this.#uids}`,
      creationTimestamp: old?.metadata.creationTimestamp ?? '2031-02-03T04:05:06Z',
      generation: old?.metadata.generation ?? 1,
      resourceVersion: old?.metadata.resourceVersion ?? '',
    };
    const whole = { ...object, metadata };
    const unchanged = old !== undefined && equalJson(old, whole);
    // The object of a request is not shared, so it needs no copy.
    const next = (unchanged ? old : actor === '' ? copy(whole) : whole) as KubeObject;
    if (!unchanged) {
      this.#version++;
      const metadataNow = next.metadata as { resourceVersion: string; generation: number };
      metadataNow.resourceVersion = String(this.#version);
      if (old !== undefined && !equalMeaning(old, next)) metadataNow.generation++;
    }
    const stored: Stored = { object: next, applied };
    this.#collection(resource).set(idOf(next), stored);
    if (!unchanged) this.#report(resource, old, next, actor);
    return stored.object;
  }

  #remove(resource: string, { object }: Stored, actor: string): void {
    this.#version++;
    this.#collection(resource).delete(idOf(object));
    this.#report(resource, object, undefined, actor);
  }

  #report(resource: string, before: KubeObject | undefined, after: KubeObject | undefined, actor: string): void {
    const last = after ?? (before as KubeObject);
    const version = this.#version;
    const object =
      after ?? ({ ...last, metadata: { ...last.metadata, resourceVersion: String(version) } } as KubeObject);
    const type = before === undefined ? 'ADDED' : after === undefined ? 'DELETED' : 'MODIFIED';
    const event: ApiEvent = { version, type, resource, object };
    const at = this.#now();
    const write: Write = { at, sentAt: this.#sentAt ?? at, version, actor, resource, id: idOf(last), before, after };
    this.#events.push(event);
    this.history.push(write);
    for (const follower of [...this.#followers]) follower(event);
    this.onWrite(write);
  }

  #collection(resource: string): Map<string, Stored> {
    const known = this.#objects.get(resource);
    if (known !== undefined) return known;
    const objects = new Map<string, Stored>();
    this.#objects.set(resource, objects);
    return objects;
  }
}

/** Whether an object matches a list or watch. */
export function selects(query: Readonly<Record<string, string>>, { metadata }: KubeObject): boolean {
  const { fieldSelector, labelSelector } = query;
  const [, name] = fieldSelector === undefined ? [] : (/^metadata\.name=(.*)$/.exec(fieldSelector) ?? []);
  if (name !== undefined && name !== metadata.name) return false;
  if (labelSelector === undefined) return true;
  const labels = metadata.labels ?? {};
  return labelSelector
    .split(',')
    .filter(Boolean)
    .every((term) => {
      const [label = '', value] = term.split(/==?/);
      return value === undefined ? Object.hasOwn(labels, label) : labels[label] === value;
    });
}

function refuseOther(
  { metadata }: KubeObject,
  expected: { readonly uid?: string | undefined; readonly resourceVersion?: string | undefined },
): void {
  const { uid, resourceVersion } = expected;
  if (resourceVersion !== undefined && resourceVersion !== '' && resourceVersion !== metadata.resourceVersion)
    throw new ApiRejection(
      409,
      'Conflict',
      'the object has been modified; please apply your changes to the latest version',
    );
  if (uid !== undefined && uid !== metadata.uid) throw new ApiRejection(409, 'Conflict', 'uid mismatch');
}

function idOf({ metadata: { namespace = '', name } }: KubeObject): string {
  return `${namespace}/${name}`;
}

function statusOf(object: KubeObject): { readonly status?: unknown } {
  return 'status' in object && object.status !== undefined ? { status: object.status } : {};
}

function copy(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
