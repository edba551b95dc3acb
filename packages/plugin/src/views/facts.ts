/** Facts about meshes, Services and their ports, independent of policies. */
import type { IpFamily, JsonObject } from '@meshrelay/api';
import type { Key } from '../graph/key.ts';

/** A mesh as discovered: one control plane in one cluster. */
export interface MeshFacts {
  readonly key: Key;
  readonly cluster: string;
  /** The cluster's DNS domain, `cluster.local` unless its KubernetesCluster says otherwise. */
  readonly clusterDomain: string;
  /** Name and namespace of the control plane's Deployment. */
  readonly name: string;
  readonly namespace: string;
  /** The plugin's mesh type, such as `istio`. */
  readonly type: string;
  readonly trustDomain: string;
  readonly trustDomainAliases: readonly string[];
  /** Whether proxies resolve hosts of the mesh themselves; otherwise clients need addresses or a DNS stub. */
  readonly capturesDns: boolean;
  /** Families of the addresses of its pods; empty if unknown. */
  readonly ipFamilies: readonly IpFamily[];
  /** Facts that the plugin discovered for its own use (`DiscoveredMesh.details`). */
  readonly details: JsonObject;
}

/** AUTO: the Service does not declare it, so the proxy detects it from the bytes. */
export type PortProtocol =
  | 'AUTO'
  | 'HTTP'
  | 'HTTP2'
  | 'GRPC'
  | 'HTTPS'
  | 'TLS'
  | 'TCP'
  | 'MONGO'
  | 'MYSQL'
  | 'REDIS'
  | 'UDP';

export interface PortView {
  /** The Service's port number. */
  readonly number: number;
  readonly name: string;
  /** From appProtocol, else the name's prefix, else AUTO. */
  readonly protocol: PortProtocol;
  /** The container's port if it is a number. */
  readonly targetPort?: number;
}

/** A Kubernetes Service as discovered, without data that changes every second (endpoints). */
export interface DestinationFacts {
  readonly key: Key;
  readonly cluster: string;
  readonly namespace: string;
  readonly name: string;
  /** `<name>.<namespace>.svc.<cluster domain>`. */
  readonly hostname: string;
  readonly ports: readonly PortView[];
  readonly labels: Readonly<Record<string, string>>;
  /** The Service's pod selector; empty for services without one. */
  readonly workloadSelector: Readonly<Record<string, string>>;
  /** Names of the ServiceAccounts its pods run under, sorted; empty if it has no pods. */
  readonly serviceAccounts: readonly string[];
  /**
   * Workloads of which pods run no proxy of the mesh, such as `Deployment/reviews-v2`, sorted; absent if all pods run
   * one.
   */
  readonly workloadsWithoutProxy?: readonly string[];
  readonly serviceType: string;
  /** True if the Service has no address of its own, so that its name resolves to its pods. */
  readonly headless: boolean;
  /**
   * Facts that the plugin discovered about the Service for its own use (`DiscoveryBuilder.serviceDetails`); absent if
   * it discovered none.
   */
  readonly details?: JsonObject;
  readonly mesh: MeshFacts;
}

/** A controller of pods whose proxies belong to a mesh. */
export interface WorkloadFacts {
  readonly key: Key;
  readonly mesh: MeshFacts;
  readonly namespace: string;
  /** The name of the controller. */
  readonly name: string;
  /** The kind of the controller, such as `Deployment`. */
  readonly kind: string;
  readonly serviceAccount: string;
  /** The labels that all its pods have. */
  readonly podLabels: Readonly<Record<string, string>>;
}
