// Mesh: a control plane discovered in a cluster. Neutral on purpose: a new mesh type changes nothing here
// (docs/adr/0004).
import type * as z from 'zod/mini';
import type { DISCOVERY_API_VERSION } from '../group.ts';
import type { JsonObject } from '../kube/json.ts';
import type { KubeObject } from '../kube/object.ts';
import { anyLength, jsonObject, labels, list } from '../schema/collection.ts';
import { object } from '../schema/object.ts';
import { count, flag, name, oneOf, port, text } from '../schema/scalar.ts';
import { type ObjectRef, objectRef } from '../shared/ref.ts';
import { type AppliedPolicy, appliedPolicies } from './applied-policy.ts';

/** Location and version of the control plane. */
export interface MeshInstallation {
  /** Namespace of the control plane. */
  readonly namespace: string;
  /** Labels that select the control plane's pods. */
  readonly podLabels?: Readonly<Record<string, string>>;
  /** Version in the image tag. */
  readonly version?: string;
  /** Region of the nodes it runs on. */
  readonly region?: string;
}

/** The relay agent in the cluster of the mesh; certificates can be issued only where there is one. */
export interface AgentInfo {
  /** Namespace of the agent. */
  readonly agentNamespace: string;
}

/** A family of IP addresses. */
export type IpFamily = 'IPV4' | 'IPV6';

/** Facts that every mesh has, and those that only its plugin interprets. */
export interface MeshSpec {
  /** The mesh type that its plugin names, such as `istio`. */
  readonly type: string;
  /** Name of the KubernetesCluster it runs in. */
  readonly cluster: string;
  readonly installation: MeshInstallation;
  /** SPIFFE trust domain of its identities; absent if it has none. */
  readonly trustDomain?: string;
  /** Further trust domains that it accepts as its own. */
  readonly trustDomainAliases?: readonly string[];
  /** Root certificates with which its workloads verify peers, as PEM; absent if unknown. */
  readonly trustBundle?: string;
  /** ServiceAccount of the control plane. */
  readonly controlPlaneServiceAccount?: string;
  /** Revision of the control plane, where several can share a cluster. */
  readonly revision?: string;
  /** True if sidecars resolve names of ServiceEntries themselves, so that any hostname suffix works. */
  readonly smartDnsProxyingEnabled?: boolean;
  /** Address families of the cluster's pods; absent until a node reports them. */
  readonly ipFamilies?: readonly IpFamily[];
  readonly agentInfo?: AgentInfo;
  /** Data that only the plugin of this `type` reads and writes. */
  readonly details?: JsonObject;
}

/** The virtual mesh that this mesh is a member of. */
export interface AppliedVirtualMesh {
  readonly ref: ObjectRef;
  /** The effective generation of the virtual mesh. */
  readonly observedGeneration: number;
}

/** A gateway that accepts traffic from other clusters for this mesh. */
export interface AppliedIngressGateway {
  /** The gateway's Destination. */
  readonly destinationRef: ObjectRef;
  /** Host names or IP addresses. */
  readonly externalAddresses: readonly string[];
  /** Port that other clusters dial. */
  readonly destinationPort: number;
  /** Port that the gateway's container listens on. */
  readonly containerPort: number;
}

/** Effective policies of a mesh. */
export interface MeshStatus {
  /** The `metadata.generation` that this status describes. */
  readonly observedGeneration?: number;
  readonly appliedVirtualMesh?: AppliedVirtualMesh;
  readonly appliedEastWestIngressGateways?: readonly AppliedIngressGateway[];
  /** The virtual destinations that its workloads can call. */
  readonly appliedVirtualDestinations?: readonly AppliedPolicy[];
}

/** A mesh's control plane in one cluster, written by discovery. */
export interface Mesh extends KubeObject<MeshSpec, MeshStatus> {
  readonly apiVersion: typeof DISCOVERY_API_VERSION;
  readonly kind: 'Mesh';
}

const meshInstallation: z.ZodMiniType<MeshInstallation> = object<MeshInstallation>('MeshInstallation', {
  required: { namespace: name },
  optional: { podLabels: labels, version: text, region: text },
});

const agentInfo: z.ZodMiniType<AgentInfo> = object<AgentInfo>('AgentInfo', {
  required: { agentNamespace: name },
  optional: {},
});

/** Schema of {@link MeshSpec}. */
export const meshSpec: z.ZodMiniType<MeshSpec> = object<MeshSpec>('MeshSpec', {
  required: { type: name, cluster: name, installation: meshInstallation },
  optional: {
    trustDomain: name,
    trustDomainAliases: list(name),
    trustBundle: text,
    controlPlaneServiceAccount: name,
    revision: name,
    smartDnsProxyingEnabled: flag,
    ipFamilies: anyLength(oneOf('IPV4', 'IPV6')),
    agentInfo,
    details: jsonObject,
  },
});

const appliedVirtualMesh: z.ZodMiniType<AppliedVirtualMesh> = object<AppliedVirtualMesh>('AppliedVirtualMesh', {
  required: { ref: objectRef, observedGeneration: count },
  optional: {},
});

const appliedIngressGateway: z.ZodMiniType<AppliedIngressGateway> = object<AppliedIngressGateway>(
  'AppliedIngressGateway',
  {
    required: {
      destinationRef: objectRef,
      externalAddresses: anyLength(text),
      destinationPort: port,
      containerPort: port,
    },
    optional: {},
  },
);

/** Schema of {@link MeshStatus}. */
export const meshStatus: z.ZodMiniType<MeshStatus> = object<MeshStatus>('MeshStatus', {
  required: {},
  optional: {
    observedGeneration: count,
    appliedVirtualMesh,
    appliedEastWestIngressGateways: list(appliedIngressGateway),
    appliedVirtualDestinations: appliedPolicies,
  },
});
