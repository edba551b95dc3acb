/** A mesh in its virtual mesh. */
import type { GlobalAccessPolicy, JsonObject, PolicyRef, SharedTrust } from '@meshrelay/api';
import type { MtlsMode, TcpKeepaliveView } from './connection.ts';
import type { GatewayEndpointView } from './endpoint.ts';
import type { MeshFacts } from './facts.ts';

/** A ServiceAccount of the pods of a gateway. */
export interface GatewayAccountView {
  readonly namespace: string;
  readonly name: string;
}

/** A gateway that admits requests from other clusters. */
export interface GatewayView {
  readonly name: string;
  readonly namespace: string;
  readonly workloadSelector: Readonly<Record<string, string>>;
  /** Names of the ServiceAccounts its pods run under, sorted; empty if it has no pods. */
  readonly serviceAccounts: readonly string[];
  /** The port its container listens on. */
  readonly containerPort: number;
  readonly endpoints: readonly GatewayEndpointView[];
}

/** A gateway that every client may call. */
export type OpenGatewayView = Pick<GatewayView, 'name' | 'namespace' | 'workloadSelector'>;

/** An intermediate CA under the root of the virtual mesh. */
export interface IntermediateView extends Pick<SharedTrust, 'rootCertificateAuthority' | 'intermediateCertOptions'> {
  /** True if members have different trust domains: each may sign only for its own. */
  readonly constrained: boolean;
}

/** The members of a {@link MeshView} that the VirtualMesh sets. */
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

/** A mesh in its VirtualMesh. One for each member. */
export interface MeshView extends VirtualMeshParts {
  readonly mesh: MeshFacts;
  readonly virtualMesh: PolicyRef;
  /** How callers connect to Services for which no policy defines it, if Settings does. */
  readonly mtlsByDefault?: MtlsMode;
  readonly eastWestGateways: readonly GatewayView[];
  /**
   * Gateways for requests from outside and from other clusters that stay open when access is denied by default: no
   * access policy allows callers there.
   */
  readonly openGateways: readonly OpenGatewayView[];
  /**
   * The hosts that the east-west gateways serve. `*.svc.<cluster>.<suffix>` matches destinations of this cluster only,
   * so that no gateway forwards requests for a third cluster. `*.vd.<suffix>` is for virtual destinations. Empty if no
   * destination of this mesh is reached through the gateways.
   */
  readonly exportedHosts: readonly string[];
  /**
   * Trust domains of the other members, except the mesh's own, whose workloads may call in. A domain is listed even if
   * the mesh already treats it as its own (`mesh.trustDomainAliases`), so that derived objects stay when it does.
   */
  readonly callerTrustDomains: readonly string[];
  /** True if its workloads call destinations of other clusters. */
  readonly importsAnything: boolean;
  /** User-owned objects in its cluster that affect the whole mesh (`MeshPlugin.concernsMesh`). */
  readonly present: readonly PresentView[];
}

/** A user-owned object, as far as translation may read it. */
export interface PresentView {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  /** When the API server created it, if known. */
  readonly created?: string;
  readonly spec: JsonObject;
}
