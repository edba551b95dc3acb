/** All stored objects under one revision counter, which every write of any resource increments. */
import type { KubeObject } from '../object.ts';
import { type ResourceDefinition, resourceKey } from '../resources/definition.ts';
import type { StoredEvent } from './event-history.ts';
import { ObjectCollection, objectKey } from './object-collection.ts';

/** The key of a resource's collection. */
type Resource = Pick<ResourceDefinition, 'group' | 'plural'>;

/** Storage in memory. Stored objects are never changed in place. */
export class ObjectStore {
  readonly #collections = new Map<string, ObjectCollection>();
  readonly #historyCapacity: number;
  readonly #listeners = new Set<(resource: Resource, event: StoredEvent) => void>();
  #revision = 1;

  /** `historyCapacity` is the number of changes of each resource that stay available to watches. */
  constructor(historyCapacity = 1000) {
    this.#historyCapacity = historyCapacity;
  }

  /** Calls back after each change of any resource, inside the write. */
  onChange(listener: (resource: Resource, event: StoredEvent) => void): void {
    this.#listeners.add(listener);
  }

  /** The revision of the last write. */
  get revision(): number {
    return this.#revision;
  }

  /** The collection of a resource; created empty on first use, when its history begins. */
  collection(resource: Resource): ObjectCollection {
    const key = resourceKey(resource);
    let collection = this.#collections.get(key);
    if (collection === undefined) {
      collection = new ObjectCollection(this.#revision, this.#historyCapacity);
      this.#collections.set(key, collection);
    }
    return collection;
  }

  /** Ends the watches of a resource that is no longer served and removes its objects. */
  drop(resource: Resource): void {
    const key = resourceKey(resource);
    this.#collections.get(key)?.close();
    this.#collections.delete(key);
  }

  /** Stores a new object or a new state; sets its resourceVersion and returns it. */
  put(resource: Resource, object: KubeObject): KubeObject {
    const key = objectKey(object.metadata.namespace, object.metadata.name);
    const previous = this.collection(resource).get(key);
    const revision = this.#stamp(object);
    if (previous === undefined) this.#apply(resource, { revision, type: 'ADDED', key, object });
    else this.#apply(resource, { revision, type: 'MODIFIED', key, object, previous });
    return object;
  }

  /** Removes an object; watchers see `last` with a revision of its own, which is returned. */
  remove(resource: Resource, last: KubeObject): KubeObject {
    const key = objectKey(last.metadata.namespace, last.metadata.name);
    const previous = this.collection(resource).get(key);
    const object = { ...last, metadata: { ...last.metadata } };
    const revision = this.#stamp(object);
    if (previous !== undefined) this.#apply(resource, { revision, type: 'DELETED', key, object, previous });
    return object;
  }

  /** Compacts the history up to a revision in every collection, as in etcd. */
  compact(revision: number): void {
    for (const collection of this.#collections.values()) collection.history.compact(revision);
  }

  #apply(resource: Resource, event: StoredEvent): void {
    this.collection(resource).apply(event);
    for (const listener of this.#listeners) listener(resource, event);
  }

  #stamp(object: KubeObject): number {
    this.#revision++;
    object.metadata.resourceVersion = String(this.#revision);
    return this.#revision;
  }
}
