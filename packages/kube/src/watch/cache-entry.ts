/** Entries of the official client's informer cache: enough to distinguish versions, without the object. */
import type { KubernetesObject } from '@kubernetes/client-node';
import type { KubeObject } from '@meshrelay/api';

/** Incarnation and version of an object that was seen last. */
export interface ObjectVersion {
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
}

/**
 * An entry of the informer's cache. It holds the object from its arrival until the handler takes it out, so that memory
 * holds each object once: in the graph.
 */
export class CacheEntry implements KubernetesObject {
  readonly metadata: ObjectVersion;
  #object: KubeObject | undefined;

  constructor(metadata: ObjectVersion, object: KubeObject | undefined) {
    this.metadata = metadata;
    this.#object = object;
  }

  /** The object, once; undefined when it was taken before or could not be transformed. */
  take(): KubeObject | undefined {
    const object = this.#object;
    this.#object = undefined;
    return object;
  }
}

/** The metadata that an entry stores. */
export function versionOf({ name, namespace, uid, resourceVersion }: KubeObject['metadata']): ObjectVersion {
  return {
    name,
    ...(namespace !== undefined && { namespace }),
    ...(uid !== undefined && { uid }),
    ...(resourceVersion !== undefined && { resourceVersion }),
  };
}

/** The object without managedFields, which are often half of its bytes and unused here. */
export function withoutManagedFields(object: KubeObject): KubeObject {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}
