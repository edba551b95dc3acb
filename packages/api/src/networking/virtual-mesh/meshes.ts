// spec.meshes of a VirtualMesh
import { list } from '../../schema/collection.ts';
import type { SpecField } from '../../schema/field.ts';
import { withRules } from '../../schema/rule.ts';
import { type ObjectRef, objectRef } from '../../shared/ref.ts';

/** The members, Mesh objects in the namespace of the server; a mesh belongs to at most one virtual mesh. */
export type VirtualMeshMembers = readonly ObjectRef[];

export const meshes: SpecField<VirtualMeshMembers> = {
  schema: withRules(list(objectRef, { minimum: 1 }), [
    {
      message: 'must name each mesh once',
      holds: (members) => new Set(members.map(({ name, namespace }) => `${namespace}/${name}`)).size === members.length,
    },
  ]),
  examples: [
    [
      { name: 'istiod-istio-system-cluster-1', namespace: 'meshrelay' },
      { name: 'istiod-istio-system-cluster-2', namespace: 'meshrelay' },
    ],
  ],
};
