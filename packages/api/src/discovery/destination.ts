// Destination: a target of requests. `TrafficTarget` is its former name.
import type * as z from 'zod/mini';
import type { DISCOVERY_API_VERSION } from '../group.ts';
import type { JsonObject } from '../kube/json.ts';
import type { KubeObject } from '../kube/object.ts';
import { anyLength, jsonObject, labels, list, mapOf } from '../schema/collection.ts';
import { object } from '../schema/object.ts';
import { atMostOneOf, exactlyOneOf } from '../schema/rule.ts';
import { count, flag, integer, name, oneOf, port, text } from '../schema/scalar.ts';
import {
  type ClusterObjectRef,
  clusterObjectRef,
  type ObjectRef,
  objectRef,
  type PolicyRef,
  resourceRef,
} from '../shared/ref.ts';
import { type TcpKeepalive, tcpKeepalive } from '../shared/tcp-keepalive.ts';
import { type AppliedPolicy, appliedPolicies, MAX_APPLIED_POLICIES } from './applied-policy.ts';

/** A port of the Service. */
export interface DestinationPort {
  /** Port number that clients call. */
  readonly port: number;
  /** Absent only on a Service with one port. */
  readonly name?: string;
  /** `TCP`, `UDP` or `SCTP`. Default: TCP. */
  readonly protocol?: string;
  /** Application protocol that the Service declares, such as `http` or `grpc`. */
  readonly appProtocol?: string;
  /** Name of the container port; not together with `targetPortNumber`. */
  readonly targetPortName?: string;
  /** Number of the container port; without either, the same as `port`. */
  readonly targetPortNumber?: number;
  /** Number that every node listens on, for Services of that type. */
  readonly nodePort?: number;
}

/** Values that are a text followed by a number, such as `web-0` to `web-9`. */
export interface ValueRange {
  /** The text before the number; may be empty. */
  readonly prefix: string;
  /** The first number. */
  readonly from: number;
  /** The last number. */
  readonly to: number;
}

/** The values of one pod label among the Service's pods. */
export interface SubsetValues {
  /** Sorted; without those in `ranges`. */
  readonly values: readonly string[];
  /** Values of labels that are different on each pod of a StatefulSet, such as `statefulset.kubernetes.io/pod-name`. */
  readonly ranges?: readonly ValueRange[];
}

/** Location of an endpoint within the Destination's region. */
export interface SubLocality {
  /** Zone of its node. */
  readonly zone: string;
  /** Part of the zone, if nodes report it. */
  readonly subZone?: string;
}

/** A pod that serves the Service. */
export interface Endpoint {
  /** The pod's IPv4 or IPv6 address. */
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
  /** `TCP`, `UDP` or `SCTP`. Default: TCP. */
  readonly protocol?: string;
  /** Application protocol that the endpoints declare. */
  readonly appProtocol?: string;
}

/** Endpoints that share the same ports. */
export interface EndpointSubset {
  readonly endpoints: readonly Endpoint[];
  readonly ports: readonly EndpointPort[];
}

/** Address of the Service from outside its cluster: exactly one of the two. */
export interface ExternalAddress {
  /** Host name, such as that of a cloud load balancer. */
  readonly dnsName?: string;
  /** IPv4 or IPv6 address. */
  readonly ip?: string;
  /** Name of the node with this address: clients dial its node port instead of the port. */
  readonly node?: string;
  /** Location of the node. */
  readonly subLocality?: SubLocality;
}

/** How the Service is exposed. */
export type ServiceType = 'CLUSTER_IP' | 'NODE_PORT' | 'LOAD_BALANCER' | 'EXTERNAL_NAME';

/** A Kubernetes Service with all facts that policies and federation need. */
export interface KubeService {
  readonly ref: ClusterObjectRef;
  /** The Service's selector; absent if it has none. */
  readonly workloadSelectorLabels?: Readonly<Record<string, string>>;
  /** ServiceAccounts of its pods, sorted; absent if it has no pods. */
  readonly serviceAccounts?: readonly string[];
  /**
   * Workloads of which pods run no proxy of the mesh although other pods of the Service do, such as
   * `Deployment/reviews-v2`; sorted; absent if all pods have a proxy.
   */
  readonly workloadsWithoutProxy?: readonly string[];
  /** The Service's own labels. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly ports: readonly DestinationPort[];
  /**
   * Pod labels with more than one distinct value; labels of a rollout or of one pod with every value, such as
   * `pod-template-hash`.
   */
  readonly subsets?: Readonly<Record<string, SubsetValues>>;
  /** Region of the nodes its endpoints run on. */
  readonly region?: string;
  readonly endpointSubsets?: readonly EndpointSubset[];
  readonly externalAddresses?: readonly ExternalAddress[];
  readonly serviceType: ServiceType;
  /** The Service has no address of its own: its name resolves to its pods. */
  readonly headless?: boolean;
}

/** A callable service, and the mesh that handles its calls. */
export interface DestinationSpec {
  readonly kubeService: KubeService;
  /** The Mesh its pods belong to; absent outside any mesh. */
  readonly mesh?: ObjectRef;
  /** Facts about the Service for plugins, by the names of the plugins. */
  readonly details?: Readonly<Record<string, JsonObject>>;
}

/** A mesh that a Destination of another cluster should be federated to and is not. */
export interface NotFederatedToMesh {
  /** The mesh. */
  readonly mesh: ObjectRef;
  /** What conflicts, and the next action. */
  readonly message: string;
}

/** How the Destination is federated to other meshes. */
export interface AppliedFederation {
  /** Host name in the meshes it is federated to, and in its own mesh. */
  readonly federatedHostname: string;
  /** The meshes that it is federated to. */
  readonly federatedToMeshes?: readonly ObjectRef[];
  /** The meshes that it should be federated to and is not, because the generated object there is not applied. */
  readonly notFederatedToMeshes?: readonly NotFederatedToMesh[];
  /** Requests go to its pods directly, not through gateways. */
  readonly flatNetwork?: boolean;
  readonly virtualMeshRef: PolicyRef;
  readonly tcpKeepalive?: TcpKeepalive;
}

/** A subset that a traffic shift sends requests to. */
export interface RequiredSubset {
  readonly trafficPolicyRef: PolicyRef;
  /** Labels of the pods in the subset. */
  readonly subset: Readonly<Record<string, string>>;
}

/** Effective policies and names of a Destination. */
export interface DestinationStatus {
  /** The `metadata.generation` that this status describes. */
  readonly observedGeneration?: number;
  /** Host name inside its own cluster. */
  readonly localFqdn?: string;
  readonly appliedTrafficPolicies?: readonly AppliedPolicy[];
  readonly appliedAccessPolicies?: readonly AppliedPolicy[];
  /** The virtual destinations that it is a backend of. */
  readonly appliedVirtualDestinations?: readonly AppliedPolicy[];
  readonly appliedFederation?: AppliedFederation;
  readonly requiredSubsets?: readonly RequiredSubset[];
}

/** A Service in one cluster, written by discovery. */
export interface Destination extends KubeObject<DestinationSpec, DestinationStatus> {
  readonly apiVersion: typeof DISCOVERY_API_VERSION;
  readonly kind: 'Destination';
}

/** Limit of lists whose items have CEL rules; more than any Service can have. */
const SERVICE_LIST_LIMIT = 10_000;

const destinationPort: z.ZodMiniType<DestinationPort> = object<DestinationPort>(
  'DestinationPort',
  {
    required: { port },
    optional: {
      name: text,
      protocol: name,
      appProtocol: text,
      targetPortName: name,
      targetPortNumber: port,
      nodePort: integer(0, 65535),
    },
  },
  [atMostOneOf<DestinationPort>('targetPortName', 'targetPortNumber')],
);

const valueRange: z.ZodMiniType<ValueRange> = object<ValueRange>('ValueRange', {
  required: { prefix: text, from: count, to: count },
  optional: {},
});

const subsetValues: z.ZodMiniType<SubsetValues> = object<SubsetValues>('SubsetValues', {
  required: { values: anyLength(text) },
  optional: { ranges: anyLength(valueRange) },
});

const subLocality: z.ZodMiniType<SubLocality> = object<SubLocality>('SubLocality', {
  required: { zone: text },
  optional: { subZone: text },
});

const endpoint: z.ZodMiniType<Endpoint> = object<Endpoint>('Endpoint', {
  required: { ipAddress: name },
  optional: { labels, subLocality },
});

const endpointPort: z.ZodMiniType<EndpointPort> = object<EndpointPort>('EndpointPort', {
  required: { port },
  optional: { name: text, protocol: name, appProtocol: text },
});

const endpointSubset: z.ZodMiniType<EndpointSubset> = object<EndpointSubset>('EndpointSubset', {
  required: { endpoints: anyLength(endpoint), ports: anyLength(endpointPort) },
  optional: {},
});

const externalAddress: z.ZodMiniType<ExternalAddress> = object<ExternalAddress>(
  'ExternalAddress',
  { required: {}, optional: { dnsName: name, ip: name, node: name, subLocality } },
  [exactlyOneOf<ExternalAddress>('dnsName', 'ip')],
);

const kubeService: z.ZodMiniType<KubeService> = object<KubeService>('KubeService', {
  required: {
    ref: clusterObjectRef,
    ports: list(destinationPort, { maximum: SERVICE_LIST_LIMIT }),
    serviceType: oneOf('CLUSTER_IP', 'NODE_PORT', 'LOAD_BALANCER', 'EXTERNAL_NAME'),
  },
  optional: {
    workloadSelectorLabels: labels,
    serviceAccounts: anyLength(name),
    workloadsWithoutProxy: anyLength(name),
    labels,
    subsets: mapOf(subsetValues),
    region: text,
    endpointSubsets: anyLength(endpointSubset),
    externalAddresses: list(externalAddress, { maximum: SERVICE_LIST_LIMIT }),
    headless: flag,
  },
});

/** Schema of {@link DestinationSpec}. */
export const destinationSpec: z.ZodMiniType<DestinationSpec> = object<DestinationSpec>('DestinationSpec', {
  required: { kubeService },
  optional: { mesh: objectRef, details: mapOf(jsonObject) },
});

const notFederatedToMesh: z.ZodMiniType<NotFederatedToMesh> = object<NotFederatedToMesh>('NotFederatedToMesh', {
  required: { mesh: objectRef, message: text },
  optional: {},
});

const appliedFederation: z.ZodMiniType<AppliedFederation> = object<AppliedFederation>('AppliedFederation', {
  required: { federatedHostname: name, virtualMeshRef: resourceRef },
  optional: {
    federatedToMeshes: anyLength(objectRef),
    notFederatedToMeshes: list(notFederatedToMesh, { maximum: MAX_APPLIED_POLICIES }),
    flatNetwork: flag,
    tcpKeepalive,
  },
});

const requiredSubset: z.ZodMiniType<RequiredSubset> = object<RequiredSubset>('RequiredSubset', {
  required: { trafficPolicyRef: resourceRef, subset: labels },
  optional: {},
});

/** Schema of {@link DestinationStatus}. */
export const destinationStatus: z.ZodMiniType<DestinationStatus> = object<DestinationStatus>('DestinationStatus', {
  required: {},
  optional: {
    observedGeneration: count,
    localFqdn: text,
    appliedTrafficPolicies: appliedPolicies,
    appliedAccessPolicies: appliedPolicies,
    appliedVirtualDestinations: appliedPolicies,
    appliedFederation,
    requiredSubsets: list(requiredSubset, { maximum: MAX_APPLIED_POLICIES }),
  },
});
