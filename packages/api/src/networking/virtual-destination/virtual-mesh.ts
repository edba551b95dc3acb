// spec.virtualMesh of a VirtualDestination
import type { SpecField } from '../../schema/field.ts';
import { type ObjectRef, objectRef } from '../../shared/ref.ts';

/** All members of this virtual mesh can use it. Omitted: the meshes of `meshList` can. */
export type VirtualDestinationMesh = ObjectRef;

export const virtualMesh: SpecField<VirtualDestinationMesh> = {
  schema: objectRef,
  examples: [{ name: 'shop', namespace: 'meshrelay' }],
};
