/** What the official client's informer keeps of an object: enough to tell versions apart, not the object. */
import type { KubernetesObject } from '@kubernetes/client-node';
import type { KubeObject } from '@meshrelay/api';

/** Which incarnation and version of an object was seen last. */
export interface ObjectVersion {
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
}

/**
 * An entry of the informer's cache. It carries the object from its arrival to the handler, which takes it out, so that
 * memory holds each object once: in the graph.
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

/** The parts of an object's metadata that an entry keeps. */
export function versionOf({ name, namespace, uid, resourceVersion }: KubeObject['metadata']): ObjectVersion {
  return {
    name,
    ...(namespace !== undefined && { namespace }),
    ...(uid !== undefined && { uid }),
    ...(resourceVersion !== undefined && { resourceVersion }),
  };
}

/** The object without managedFields: often half of its bytes, and nothing anybody here reads. */
export function withoutManagedFields(object: KubeObject): KubeObject {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}
