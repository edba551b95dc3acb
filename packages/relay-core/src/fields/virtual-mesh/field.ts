/** What core does with one field of `spec` of a VirtualMesh. */
import type { MeshView } from '../../plugin/views/mesh.ts';

/**
 * A field in a file of its own; `VIRTUAL_MESH_FIELD_VIEWS` lists them all. `Capability`: the names of its capabilities.
 */
export interface VirtualMeshField<Capability extends string> {
  /** Its capabilities, each with the path in the policy that reports name. */
  readonly capabilities: Readonly<Record<Capability, string>>;
  /** The view of a member without what its mesh does not support. */
  reduce?(view: MeshView, supports: (capability: Capability) => boolean): MeshView;
}
