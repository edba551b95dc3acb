/** GET of one object. */
import type { ReadableCluster } from '../cluster.ts';
import { notFound } from '../errors/api-errors.ts';
import type { KubeObject } from '../object.ts';
import { inVersion } from '../resources/convert.ts';
import { objectKey } from '../storage/object-collection.ts';
import type { Target } from './identity.ts';

/** The stored object, in its storage version, or undefined. It must not be changed. */
export function findObject(cluster: ReadableCluster, { resource, namespace, name }: Target): KubeObject | undefined {
  const key = objectKey(resource.definition.namespaced ? namespace : '', name);
  return cluster.store.collection(resource.definition).get(key);
}

/**
 * The object in the requested version. It must not be changed.
 * @throws StatusError 404
 */
export function readObject(cluster: ReadableCluster, target: Target): KubeObject {
  const object = findObject(cluster, target);
  if (object === undefined) throw notFound(target.resource.definition, target.name);
  return inVersion(object, target.resource);
}
