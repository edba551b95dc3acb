/** The translation of one field of `spec` of a VirtualMesh. */
import type { MeshView, Output, VirtualMeshFieldName, VirtualMeshRows } from '@meshrelay/plugin';

/** A field in its own file. */
export interface VirtualMeshField<F extends VirtualMeshFieldName> {
  readonly capabilities: VirtualMeshRows<F>;
  /** Emits its objects, and reports what Istio does not support. */
  translate(view: MeshView, out: Output): void;
}
