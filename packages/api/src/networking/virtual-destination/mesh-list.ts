// spec.meshList of a VirtualDestination
import { list } from '../../schema/collection.ts';
import type { SpecField } from '../../schema/field.ts';
import { object } from '../../schema/object.ts';
import { type ObjectRef, objectRef } from '../../shared/ref.ts';

/** Meshes listed by name, which can use it. Omitted: all members of `virtualMesh` can. */
export interface MeshList {
  /** Mesh objects in the namespace of the server, members of one virtual mesh. */
  readonly meshes: readonly ObjectRef[];
}

export const meshList: SpecField<MeshList> = {
  schema: object<MeshList>('MeshList', {
    required: { meshes: list(objectRef, { minimum: 1 }) },
    optional: {},
  }),
  examples: [{ meshes: [{ name: 'istiod-istio-system-cluster-1', namespace: 'meshrelay' }] }],
};
