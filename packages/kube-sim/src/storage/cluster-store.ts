/** The cluster for built-in controllers. */
import { internalWrite } from '../admission/write-options.ts';
import type { Cluster } from '../cluster.ts';
import { type KubeObject, StatusError } from '../object.ts';
import { inStorageVersion } from '../resources/catalog.ts';
import { parseApiVersion, type ServedResource } from '../resources/definition.ts';
import { copyJson } from '../schema/json-values.ts';
import { createObject } from '../verbs/create.ts';
import { deleteObject } from '../verbs/delete.ts';
import type { Target } from '../verbs/identity.ts';
import { findObject } from '../verbs/read.ts';
import { replaceObject } from '../verbs/replace.ts';
import type { ControllerStore, KindRef, ObjectEvent, ObjectRef } from './controller-store.ts';
import type { StoredEvent } from './event-history.ts';

/** The store for a controller; `manager` is the field manager of its writes. */
export function controllerStore(cluster: Cluster, manager: string): ControllerStore {
  const options = internalWrite(manager);
  const stored = ({ group, kind }: KindRef): ServedResource | undefined => cluster.catalog.stored(group, kind);
  const target = (resource: ServedResource, { namespace = '', name }: ObjectRef): Target => ({
    resource,
    namespace,
    name,
  });

  return {
    list(kind, namespace) {
      const resource = stored(kind);
      if (resource === undefined) return [];
      return cluster.store
        .collection(resource.definition)
        .snapshot(namespace)
        .map(([, object]) => object);
    },
    get(kind, ref) {
      const resource = stored(kind);
      return resource === undefined ? undefined : findObject(cluster, target(resource, ref));
    },
    create(object) {
      const resource = servedAs(cluster, object);
      const { namespace = '' } = object.metadata;
      return createObject(cluster, { resource, namespace, name: '', body: copyJson(object), options });
    },
    update(object, { subresource = '' as const }: { readonly subresource?: 'status' } | { subresource?: '' } = {}) {
      const resource = servedAs(cluster, object);
      const { namespace = '', name } = object.metadata;
      const body = copyJson(object);
      const live = findObject(cluster, { resource, namespace, name });
      if (live !== undefined) body.metadata.resourceVersion ??= live.metadata.resourceVersion as string;
      return replaceObject(cluster, { resource, namespace, name, body, subresource, options }).object;
    },
    delete(kind, ref) {
      const resource = stored(kind);
      if (resource === undefined) return;
      try {
        deleteObject(cluster, target(resource, ref), { dryRun: false });
      } catch (error) {
        if (!(error instanceof StatusError) || error.status.code !== 404) throw error;
      }
    },
    watch(kind, handler) {
      const resource = stored(kind);
      if (resource === undefined)
        throw new Error(`kind ${kind.group}/${kind.kind} is not served: nothing can watch it`);
      return watchCollection(cluster, inStorageVersion(resource.definition), handler);
    },
    now: () => cluster.clock.now(),
  };
}

/**
 * The resource of an object's `apiVersion` and `kind`.
 * @throws StatusError 404 when the kind is not served
 */
export function servedAs(cluster: Cluster, object: KubeObject): ServedResource {
  const { group, version } = parseApiVersion(object.apiVersion);
  const resource = cluster.catalog.byKind(group, version, object.kind);
  if (resource !== undefined) return resource;
  const message = `no matches for kind "${object.kind}" in version "${object.apiVersion}"`;
  throw new StatusError({ code: 404, reason: 'NotFound', message });
}

function watchCollection(
  cluster: Cluster,
  resource: ServedResource,
  handler: (event: ObjectEvent) => void,
): Disposable {
  const collection = cluster.store.collection(resource.definition);
  let queue: ObjectEvent[] = collection.snapshot().map(([, object]): ObjectEvent => ({ type: 'ADDED', object }));
  let scheduled = false;
  let ended = false;
  const drain = (): void => {
    scheduled = false;
    const events = queue;
    queue = [];
    for (const event of events) if (!ended) handler(event);
  };
  const schedule = (): void => {
    if (scheduled) return;
    scheduled = true;
    queueMicrotask(drain);
  };
  const subscription = collection.subscribe(({ type, object, previous }: StoredEvent) => {
    queue.push(previous === undefined ? { type, object } : { type, object, previous });
    schedule();
  });
  if (queue.length > 0) schedule();
  return {
    [Symbol.dispose]: () => {
      ended = true;
      subscription[Symbol.dispose]();
    },
  };
}
