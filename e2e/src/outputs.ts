/** What a control plane has an agent write. */
import { type ControlPlane, OBJECT_PATCH, valuesInOrder } from '@meshrelay/relay-core';
import type { CustomResource } from '@meshrelay/testing/custom-resources';

/** Its objects of every cluster, with all their labels and annotations; without wishes about users' objects, which are no objects of an API. */
export function outputsOf({ desired }: ControlPlane): CustomResource[] {
  return valuesInOrder(desired)
    .filter(({ kind }) => kind !== OBJECT_PATCH)
    .map(({ object }) => object);
}
