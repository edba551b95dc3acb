/** What core knows of one field of `spec` of a VirtualMesh. */

/**
 * A field in a file of its own; `VIRTUAL_MESH_FIELD_VIEWS` lists them all. `Capability`: the names of its capabilities.
 */
export interface VirtualMeshField<Capability extends string> {
  /** Its capabilities, each with the path in the policy that reports name. */
  readonly capabilities: Readonly<Record<Capability, string>>;
}
