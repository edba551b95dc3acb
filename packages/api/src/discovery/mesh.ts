// Mesh: a control plane found in a cluster. Neutral on purpose: a new mesh type changes nothing here (docs/adr/0003).
import type { DISCOVERY_API_VERSION } from '../group.ts';
import type { JsonObject } from '../kube/json.ts';
import type { KubeObject } from '../kube/object.ts';
import type { ObjectRef } from '../shared/ref.ts';

/** Where and as what the control plane runs. */
export interface MeshInstallation {
  readonly namespace: string;
  /** Labels that select the control plane's pods. */
  readonly podLabels?: Readonly<Record<string, string>>;
  /** Version as the image tag tells it. */
  readonly version?: string;
  /** Region of the nodes it runs on. */
  readonly region?: string;
}

/** The relay agent beside the mesh; only where there is one can certificates be issued. */
export interface AgentInfo {
  readonly agentNamespace: string;
}

/** What every mesh has, whoever makes it, and what only its plugin understands. */
export interface MeshSpec {
  /** The mesh type its plugin names, such as `istio`. */
  readonly type: string;
  /** Name of the KubernetesCluster it runs in. */
  readonly cluster: string;
  readonly installation: MeshInstallation;
  /** SPIFFE trust domain of its identities; absent when it has none. */
  readonly trustDomain?: string;
  /** Further trust domains it takes for its own. */
  readonly trustDomainAliases?: readonly string[];
  /** ServiceAccount of the control plane. */
  readonly controlPlaneServiceAccount?: string;
  /** Revision of the control plane, where several can share a cluster. */
  readonly revision?: string;
  /** True when sidecars resolve names of ServiceEntries themselves, so that any hostname suffix works. */
  readonly smartDnsProxyingEnabled?: boolean;
  readonly agentInfo?: AgentInfo;
  /** What only the plugin of this `type` reads and writes. */
  readonly details?: JsonObject;
}

/** The virtual mesh this mesh is a member of. */
export interface AppliedVirtualMesh {
  readonly ref: ObjectRef;
  readonly observedGeneration: number;
}

/** A gateway that takes in traffic from other clusters for this mesh. */
export interface AppliedIngressGateway {
  /** The gateway's Destination. */
  readonly destinationRef: ObjectRef;
  /** Host names or IP addresses. */
  readonly externalAddresses: readonly string[];
  /** Port other clusters dial. */
  readonly destinationPort: number;
  /** Port the gateway's container listens on. */
  readonly containerPort: number;
}

/** What is in force on a mesh. */
export interface MeshStatus {
  readonly observedGeneration?: number;
  readonly appliedVirtualMesh?: AppliedVirtualMesh;
  readonly appliedEastWestIngressGateways?: readonly AppliedIngressGateway[];
}

/** A mesh's control plane in one cluster, written by discovery. */
export interface Mesh extends KubeObject<MeshSpec, MeshStatus> {
  readonly apiVersion: typeof DISCOVERY_API_VERSION;
  readonly kind: 'Mesh';
}
