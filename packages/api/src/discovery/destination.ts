// Destination: something requests can be sent to. `TrafficTarget` is its former name.
import type { DISCOVERY_API_VERSION } from '../group.ts';
import type { KubeObject } from '../kube/object.ts';
import type { ClusterObjectRef, ObjectRef, PolicyRef } from '../shared/ref.ts';
import type { TcpKeepalive } from '../shared/tcp-keepalive.ts';

/** At most this many policies, and required subsets, are named in a Destination's status. */
export const MAX_APPLIED_POLICIES = 50;

/** A port of the Service. */
export interface DestinationPort {
  readonly port: number;
  /** Absent only on a Service with one port. */
  readonly name?: string;
  /** `TCP`, `UDP` or `SCTP`; omitted means TCP. */
  readonly protocol?: string;
  /** Application protocol as the Service declares it, such as `http` or `grpc`. */
  readonly appProtocol?: string;
  /** Name of the container port; not together with `targetPortNumber`. */
  readonly targetPortName?: string;
  /** Number of the container port; neither given means the same as `port`. */
  readonly targetPortNumber?: number;
  readonly nodePort?: number;
}

/** The values one pod label takes among the Service's pods. */
export interface SubsetValues {
  /** Sorted. */
  readonly values: readonly string[];
}

/** Where an endpoint is, within the Destination's region. */
export interface SubLocality {
  readonly zone: string;
  readonly subZone?: string;
}

/** A pod that answers for the Service. */
export interface Endpoint {
  readonly ipAddress: string;
  /** The pod's labels. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly subLocality?: SubLocality;
}

/** A port as the endpoints of a group serve it. */
export interface EndpointPort {
  /** Number the pods listen on. */
  readonly port: number;
  /** Name of the Service's port. */
  readonly name?: string;
  readonly protocol?: string;
  readonly appProtocol?: string;
}

/** Endpoints that share the same ports. */
export interface EndpointSubset {
  readonly endpoints: readonly Endpoint[];
  readonly ports: readonly EndpointPort[];
}

/** Where the Service is reached from outside its cluster: exactly one of the two. */
export interface ExternalAddress {
  readonly dnsName?: string;
  readonly ip?: string;
}

/** How the Service is exposed. */
export type ServiceType = 'CLUSTER_IP' | 'NODE_PORT' | 'LOAD_BALANCER' | 'EXTERNAL_NAME';

/** A Kubernetes Service with all that policies and federation need to know of it. */
export interface KubeService {
  readonly ref: ClusterObjectRef;
  /** The Service's selector; absent when it has none. */
  readonly workloadSelectorLabels?: Readonly<Record<string, string>>;
  /** The Service's own labels. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly ports: readonly DestinationPort[];
  /** Pod labels with more than one distinct value. */
  readonly subsets?: Readonly<Record<string, SubsetValues>>;
  readonly region?: string;
  readonly endpointSubsets?: readonly EndpointSubset[];
  readonly externalAddresses?: readonly ExternalAddress[];
  readonly serviceType: ServiceType;
}

/** What can be called, and which mesh handles the calls. */
export interface DestinationSpec {
  readonly kubeService: KubeService;
  /** The Mesh its pods belong to; absent outside any mesh. */
  readonly mesh?: ObjectRef;
}

/** A policy in force on a Destination. */
export interface AppliedPolicy {
  readonly ref: PolicyRef;
  readonly observedGeneration: number;
}

/** How the Destination is known in other meshes. */
export interface AppliedFederation {
  readonly federatedHostname: string;
  readonly federatedToMeshes?: readonly ObjectRef[];
  readonly flatNetwork?: boolean;
  readonly virtualMeshRef: PolicyRef;
  readonly tcpKeepalive?: TcpKeepalive;
}

/** A subset some traffic shift sends requests to. */
export interface RequiredSubset {
  readonly trafficPolicyRef: PolicyRef;
  readonly subset: Readonly<Record<string, string>>;
}

/** What is in force on a Destination. */
export interface DestinationStatus {
  readonly observedGeneration?: number;
  /** Host name inside its own cluster. */
  readonly localFqdn?: string;
  readonly appliedTrafficPolicies?: readonly AppliedPolicy[];
  readonly appliedAccessPolicies?: readonly AppliedPolicy[];
  readonly appliedFederation?: AppliedFederation;
  readonly requiredSubsets?: readonly RequiredSubset[];
}

/** A Service in one cluster, written by discovery. */
export interface Destination extends KubeObject<DestinationSpec, DestinationStatus> {
  readonly apiVersion: typeof DISCOVERY_API_VERSION;
  readonly kind: 'Destination';
}
