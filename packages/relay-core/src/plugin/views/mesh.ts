/** A mesh in its virtual mesh. */
import type { JsonObject, PolicyRef } from '@meshrelay/api';
import type { MtlsMode } from '../../fields/traffic/mtls.ts';
import type { VirtualMeshParts } from '../../fields/virtual-mesh/field.ts';
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
