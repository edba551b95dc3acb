/** What core does with one field of `spec` of a VirtualMesh. */
import type { VirtualMeshFieldName, VirtualMeshSpec } from '@meshrelay/api';
import type { VirtualMeshCapabilitiesOf, VirtualMeshParts } from '@meshrelay/plugin';

/** What a mesh does not support may also affect the members that core adds. */
export interface FederatedMeshParts extends VirtualMeshParts {
  /** The hosts that the east-west gateways serve. */
  readonly exportedHosts: readonly string[];
}

export type FieldEffect = readonly [path: string, value: unknown];

/** A field in a file of its own; `VIRTUAL_MESH_FIELD_VIEWS` lists them all. `F`: its name in the API. */
export interface VirtualMeshField<F extends VirtualMeshFieldName> {
  /** Its capabilities, each with the path in the policy that reports name. */
  readonly capabilities: Readonly<Record<VirtualMeshCapabilitiesOf<F>, string>>;
  /** Its part of the view of a mesh; absent if it only selects meshes. */
  view?(spec: VirtualMeshSpec, context: VirtualMeshContext): Partial<VirtualMeshParts>;
  /** The view without what the mesh does not support of the field. */
  reduce?<View extends FederatedMeshParts>(
    view: View,
    supports: (capability: VirtualMeshCapabilitiesOf<F>) => boolean,
  ): View;
  /** What `explain` shows of the field: each path below `spec` that changes the view of the mesh, with its value. */
  effects(view: VirtualMeshParts): readonly FieldEffect[];
}

/** What the view of a mesh depends on, apart from the spec. */
export interface VirtualMeshContext {
  /** Whether other members have a trust domain that differs from the mesh's own. */
  readonly hasOtherTrustDomains: boolean;
}
