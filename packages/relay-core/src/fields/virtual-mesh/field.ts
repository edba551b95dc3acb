/** What core does with one field of `spec` of a VirtualMesh. */
import type { GlobalAccessPolicy, SharedTrust, VirtualMeshSpec } from '@meshrelay/api';
import type { TcpKeepaliveView } from '../traffic/connection-pool.ts';

/** An intermediate CA under the root of the virtual mesh. */
export interface IntermediateView extends Pick<SharedTrust, 'rootCertificateAuthority' | 'intermediateCertOptions'> {
  /** True if members have different trust domains: each may sign only for its own. */
  readonly constrained: boolean;
}

/** The members of a MeshView that the fields set. */
export interface VirtualMeshParts {
  readonly globalAccess: GlobalAccessPolicy;
  readonly strictMtls: boolean;
  readonly trust: 'shared' | 'limited' | undefined;
  /** With shared trust: the intermediate CA of the mesh. */
  readonly intermediate?: IntermediateView;
  /** True if requests from other clusters should go directly to pods. */
  readonly flatNetwork: boolean;
  /** For connections to other clusters; the federated destination views contain it too. */
  readonly tcpKeepalive?: TcpKeepaliveView;
}

/** What a mesh does not support may also affect the members that core adds. */
export interface FederatedMeshParts extends VirtualMeshParts {
  /** The hosts that the east-west gateways serve. */
  readonly exportedHosts: readonly string[];
}

export type FieldEffect = readonly [path: string, value: unknown];

/**
 * A field in a file of its own; `VIRTUAL_MESH_FIELD_VIEWS` lists them all. `Part`: its part of a MeshView.
 * `Capability`: the names of its capabilities.
 */
export interface VirtualMeshField<Part extends Partial<VirtualMeshParts>, Capability extends string> {
  /** Its capabilities, each with the path in the policy that reports name. */
  readonly capabilities: Readonly<Record<Capability, string>>;
  /** Its part of the view of a mesh; absent if it only selects meshes. */
  view?(spec: VirtualMeshSpec, context: VirtualMeshContext): Part;
  /** The view without what the mesh does not support of the field. */
  reduce?<View extends FederatedMeshParts>(view: View, supports: (capability: Capability) => boolean): View;
  /** What `explain` shows of the field: each path below `spec` that changes the view of the mesh, with its value. */
  effects(view: VirtualMeshParts): readonly FieldEffect[];
}

/** What the view of a mesh depends on, apart from the spec. */
export interface VirtualMeshContext {
  /** Whether other members have a trust domain that differs from the mesh's own. */
  readonly hasOtherTrustDomains: boolean;
}
