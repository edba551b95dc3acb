/** A mesh in its virtual mesh. */
import type { JsonObject, PolicyRef, SharedTrust } from '@meshrelay/api';
import type { TcpKeepaliveView } from '../../fields/traffic/connection-pool.ts';
import type { MtlsMode } from '../../fields/traffic/mtls.ts';
import type { GatewayEndpointView } from './endpoint.ts';
import type { MeshFacts } from './facts.ts';

/** A ServiceAccount that pods of a gateway run under. */
export interface GatewayAccountView {
  readonly namespace: string;
  readonly name: string;
}

/** A gateway that lets requests of other clusters in. */
export interface GatewayView {
  readonly name: string;
  readonly namespace: string;
  readonly workloadSelector: Readonly<Record<string, string>>;
  /** Names of the ServiceAccounts its pods run under, sorted; empty where it has no pods. */
  readonly serviceAccounts: readonly string[];
  /** The port its container listens on. */
  readonly containerPort: number;
  readonly endpoints: readonly GatewayEndpointView[];
}

/** A gateway that anyone may call. */
export type OpenGatewayView = Pick<GatewayView, 'name' | 'namespace' | 'workloadSelector'>;

/** An intermediate CA under the root of the virtual mesh. */
export interface IntermediateView extends Pick<SharedTrust, 'rootCertificateAuthority' | 'intermediateCertOptions'> {
  /** True where members have different trust domains: each may sign for its own only. */
  readonly constrained: boolean;
}

/** A mesh in its VirtualMesh. One for each member. */
export interface MeshView {
  readonly mesh: MeshFacts;
  readonly virtualMesh: PolicyRef;
  readonly globalAccess: 'ENABLED' | 'DISABLED' | 'MESH_DEFAULT';
  readonly strictMtls: boolean;
  /** How callers connect to Services that no policy says it of, where Settings says so. */
  readonly mtlsByDefault?: MtlsMode;
  readonly trust: 'shared' | 'limited' | undefined;
  /** With shared trust: the intermediate CA it is to have. */
  readonly intermediate?: IntermediateView;
  /** True where requests of other clusters are to go to pods directly. */
  readonly flatNetwork: boolean;
  /** For connections to other clusters; it is on their reach views too. */
  readonly tcpKeepalive?: TcpKeepaliveView;
  readonly eastWestGateways: readonly GatewayView[];
  /** Gateways for requests from outside and of other clusters that stay open where access is denied by default: no access policy allows callers there. */
  readonly openGateways: readonly OpenGatewayView[];
  /**
   * What the east-west gateways serve: `*.svc.<cluster>.<suffix>`, which fits names of destinations of this cluster and of no other, so that
   * no gateway passes on what is for a third cluster, and `*.vd.<suffix>` for virtual destinations. Empty where nothing of this mesh is reached through them.
   */
  readonly exportedHosts: readonly string[];
  /**
   * Trust domains of the other members, other than the mesh's own, whose workloads may call in. Named whether the mesh takes them for its own already
   * (`mesh.trustDomainAliases`) or not, so that what follows from them stays when it does.
   */
  readonly callerTrustDomains: readonly string[];
  /** True where its workloads call destinations of other clusters. */
  readonly importsAnything: boolean;
  /** Objects of the user's in its cluster that concern the whole mesh (`MeshPlugin.concernsMesh`). */
  readonly present: readonly PresentView[];
}

/** An object of the user's, as far as translation may look at it. */
export interface PresentView {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  /** When the API server took it in, where it is known. */
  readonly created?: string;
  readonly spec: JsonObject;
}
