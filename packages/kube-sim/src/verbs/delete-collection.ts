/** DELETE of a collection: all objects that a selector matches. */
import type { Cluster } from '../cluster.ts';
import type { KubeObject } from '../object.ts';
import { type DeleteOptions, deleteObject } from './delete.ts';
import type { Target } from './identity.ts';
import { listObjects } from './list.ts';
import type { ListOptions } from './list-options.ts';

/** Deletes every matching object and returns them in their last or current state. */
export function deleteCollection(
  cluster: Cluster,
  target: Omit<Target, 'name'>,
  selection: ListOptions,
  options: DeleteOptions,
): KubeObject[] {
  return listObjects(cluster, target, selection).objects.map((object) => {
    const { name, namespace = '' } = object.metadata;
    return deleteObject(cluster, { ...target, namespace, name }, options).object;
  });
}
