/** The objects that a control plane has an agent write. */
import { type ControlPlane, OBJECT_PATCH, valuesInOrder } from '@meshrelay/relay-core';
import type { CustomResource } from '@meshrelay/testing/custom-resources';

/**
 * Its objects of every cluster, with all their labels and annotations; without patches of users' objects, which are not
 * API objects.
 */
export function outputsOf({ desired }: ControlPlane): CustomResource[] {
  return valuesInOrder(desired)
    .filter(({ kind }) => kind !== OBJECT_PATCH)
    .map(({ object }) => object);
}
