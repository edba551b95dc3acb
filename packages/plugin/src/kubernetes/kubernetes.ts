/** The few fields of Kubernetes' own kinds that discovery reads, and the names of those kinds. */
import type { KubeObject } from '@meshrelay/api';
import type { ResourceKind } from './resource-kind.ts';

const core = (kind: string, plural: string, namespaced = true): ResourceKind => ({
  group: '',
  version: 'v1',
  kind,
  plural,
  namespaced,
});
const apps = (kind: string, plural: string): ResourceKind => ({
  group: 'apps',
  version: 'v1',
  kind,
  plural,
  namespaced: true,
});

export const POD: ResourceKind = core('Pod', 'pods');
export const SERVICE: ResourceKind = core('Service', 'services');
export const NODE: ResourceKind = core('Node', 'nodes', false);
/** Read by the server for workspaces, and by plugins for namespaces with injection. */
export const NAMESPACE: ResourceKind = core('Namespace', 'namespaces', false);
export const CONFIG_MAP: ResourceKind = core('ConfigMap', 'configmaps');
export const DEPLOYMENT: ResourceKind = apps('Deployment', 'deployments');
export const REPLICA_SET: ResourceKind = apps('ReplicaSet', 'replicasets');
export const STATEFUL_SET: ResourceKind = apps('StatefulSet', 'statefulsets');
export const DAEMON_SET: ResourceKind = apps('DaemonSet', 'daemonsets');
export const ENDPOINT_SLICE: ResourceKind = {
  group: 'discovery.k8s.io',
  version: 'v1',
  kind: 'EndpointSlice',
  plural: 'endpointslices',
  namespaced: true,
};

type Labels = Readonly<Record<string, string>>;

export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly controller?: boolean;
}

export interface Container {
  readonly name: string;
  readonly image?: string;
  readonly env?: ReadonlyArray<{ readonly name: string; readonly value?: string }>;
  readonly ports?: ReadonlyArray<{ readonly name?: string; readonly containerPort: number }>;
}

export interface PodSpec {
  readonly serviceAccountName?: string;
  readonly nodeName?: string;
  readonly hostNetwork?: boolean;
  readonly containers?: readonly Container[];
  readonly initContainers?: readonly Container[];
}

export type Pod = KubeObject & {
  readonly spec?: PodSpec;
  readonly status?: { readonly phase?: string; readonly podIP?: string };
};

/** Deployments, ReplicaSets, StatefulSets and DaemonSets. */
export type PodController = KubeObject & {
  readonly spec?: {
    readonly template?: {
      readonly metadata?: { readonly labels?: Labels; readonly annotations?: Labels };
      readonly spec?: PodSpec;
    };
  };
};

export type StatefulSet = KubeObject & {
  readonly spec?: { readonly replicas?: number; readonly ordinals?: { readonly start?: number } };
};

export interface ServicePort {
  readonly port: number;
  readonly name?: string;
  readonly protocol?: string;
  readonly appProtocol?: string;
  readonly targetPort?: number | string;
  readonly nodePort?: number;
}

export type Service = KubeObject & {
  readonly spec?: {
    readonly type?: string;
    readonly selector?: Labels;
    readonly ports?: readonly ServicePort[];
    readonly externalIPs?: readonly string[];
    readonly externalName?: string;
    readonly clusterIP?: string;
  };
  readonly status?: {
    readonly loadBalancer?: { readonly ingress?: ReadonlyArray<{ readonly ip?: string; readonly hostname?: string }> };
  };
};

export type Node = KubeObject & {
  readonly spec?: { readonly podCIDR?: string; readonly podCIDRs?: readonly string[] };
  readonly status?: {
    readonly addresses?: ReadonlyArray<{ readonly type: string; readonly address: string }>;
    readonly conditions?: ReadonlyArray<{ readonly type: string; readonly status: string }>;
  };
};

export type EndpointSlice = KubeObject & {
  readonly addressType?: string;
  readonly endpoints?: ReadonlyArray<{
    readonly addresses: readonly string[];
    readonly conditions?: { readonly ready?: boolean };
    readonly nodeName?: string;
    readonly zone?: string;
    readonly targetRef?: { readonly kind?: string; readonly name?: string; readonly namespace?: string };
  }>;
  readonly ports?: ReadonlyArray<{
    readonly name?: string;
    readonly port?: number;
    readonly protocol?: string;
    readonly appProtocol?: string;
  }>;
};

export type ConfigMap = KubeObject & { readonly data?: Readonly<Record<string, string>> };

/** The controller that owns an object, if one does. */
export function controllerOf(object: KubeObject): OwnerReference | undefined {
  const owners = (object.metadata as { ownerReferences?: readonly OwnerReference[] }).ownerReferences ?? [];
  return owners.find((owner) => owner.controller === true);
}
