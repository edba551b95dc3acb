/** All stored objects under one revision counter, which every write of any resource raises. */
import type { KubeObject } from '../object.ts';
import { type ResourceDefinition, resourceKey } from '../resources/definition.ts';
import { ObjectCollection, objectKey } from './object-collection.ts';

/** The key of a resource's collection. */
type Resource = Pick<ResourceDefinition, 'group' | 'plural'>;

/** Storage in memory. Stored objects are never changed in place. */
export class ObjectStore {
  readonly #collections = new Map<string, ObjectCollection>();
  readonly #historyCapacity: number;
  #revision = 1;

  /** `historyCapacity` is how many changes of each resource stay available to watches. */
  constructor(historyCapacity = 1000) {
    this.#historyCapacity = historyCapacity;
  }

  /** The revision of the last write. */
  get revision(): number {
    return this.#revision;
  }

  /** The collection of a resource; made empty on first use, its history beginning then. */
  collection(resource: Resource): ObjectCollection {
    const key = resourceKey(resource);
    let collection = this.#collections.get(key);
    if (collection === undefined) {
      collection = new ObjectCollection(this.#revision, this.#historyCapacity);
      this.#collections.set(key, collection);
    }
    return collection;
  }

  /** Ends the watches of a resource that is no longer served and forgets its objects. */
  drop(resource: Resource): void {
    const key = resourceKey(resource);
    this.#collections.get(key)?.close();
    this.#collections.delete(key);
  }

  /** Stores a new object or a new state; sets its resourceVersion and returns it. */
  put(resource: Resource, object: KubeObject): KubeObject {
    const collection = this.collection(resource);
    const key = objectKey(object.metadata.namespace, object.metadata.name);
    const previous = collection.get(key);
    const revision = this.#stamp(object);
    if (previous === undefined) collection.apply({ revision, type: 'ADDED', key, object });
    else collection.apply({ revision, type: 'MODIFIED', key, object, previous });
    return object;
  }

  /** Removes an object; what watchers see is `last` with a revision of its own, which is returned. */
  remove(resource: Resource, last: KubeObject): KubeObject {
    const collection = this.collection(resource);
    const key = objectKey(last.metadata.namespace, last.metadata.name);
    const previous = collection.get(key);
    const object = { ...last, metadata: { ...last.metadata } };
    const revision = this.#stamp(object);
    if (previous !== undefined) collection.apply({ revision, type: 'DELETED', key, object, previous });
    return object;
  }

  /** Forgets history up to a revision in every collection, as etcd compaction does. */
  compact(revision: number): void {
    for (const collection of this.#collections.values()) collection.history.compact(revision);
  }

  #stamp(object: KubeObject): number {
    this.#revision++;
    object.metadata.resourceVersion = String(this.#revision);
    return this.#revision;
  }
}
