/** A short way to write fleets down: what `input.yaml` of a golden case holds. */
import type { KubeObject } from '@meshrelay/api';
import { type ClusterObjects, MANAGEMENT_NAMESPACE } from '@meshrelay/relay-core';
import { controlPlane, type IstioSpec } from './istio-objects.ts';
import { type ServiceSpec, serviceObjects } from './service-objects.ts';

export interface ClusterSpec {
  /** Control planes; omitted: one with Istio's defaults; empty: none. */
  readonly istio?: readonly IstioSpec[];
  /** Of the one node. */
  readonly region?: string;
  /** Addresses of the one node, by type. */
  readonly node?: Readonly<Record<string, string>>;
  /** By `<name>.<namespace>`. */
  readonly services?: Readonly<Record<string, ServiceSpec>>;
  readonly policies?: readonly PolicySpec[];
  /** Written out in full. */
  readonly objects?: readonly KubeObject[];
}

/** `TrafficPolicy: name` and a spec; the namespace is `meshrelay` where none is given. */
export type PolicySpec = Readonly<Record<string, unknown>>;

export interface FleetSpec {
  /** True: the case is about discovery, so what was found is recorded too. */
  readonly discovers?: boolean;
  /** What the case is about, for readers. */
  readonly about: string;
  readonly clusters: Readonly<Record<string, ClusterSpec>>;
  readonly management?: readonly PolicySpec[];
}

/** The objects of each cluster and of the management cluster. */
export function expand({ clusters, management = [] }: FleetSpec): {
  readonly clusters: readonly ClusterObjects[];
  readonly management: readonly KubeObject[];
} {
  return {
    clusters: Object.entries(clusters).map(([name, spec], position) => ({
      name,
      objects: clusterObjects(spec, position + 1),
    })),
    management: management.map(policyObject),
  };
}

function clusterObjects(spec: ClusterSpec, position: number): KubeObject[] {
  const { istio = [{}], region, node = { InternalIP: `10.0.${position}.1` }, services = {} } = spec;
  return [
    nodeObject(region, node),
    ...istio.flatMap(controlPlane),
    ...Object.entries(services).flatMap(([name, service], index) =>
      serviceObjects(name, service, `10.${position}.${index}`),
    ),
    ...(spec.policies ?? []).map(policyObject),
    ...(spec.objects ?? []),
  ];
}

function nodeObject(region: string | undefined, addresses: Readonly<Record<string, string>>): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name: 'node-1',
      labels:
        region === undefined
          ? {}
          : { 'topology.kubernetes.io/region': region, 'topology.kubernetes.io/zone': `${region}-a` },
    },
    status: { addresses: Object.entries(addresses).map(([type, address]) => ({ type, address })) },
  } as unknown as KubeObject;
}

const GROUPS: Readonly<Record<string, string>> = {
  KubernetesCluster: 'multicluster',
  Settings: 'admin',
  Ledger: 'admin',
};

function policyObject({ namespace = MANAGEMENT_NAMESPACE, spec, ...named }: PolicySpec): KubeObject {
  const [[kind, name] = ['', '']] = Object.entries(named);
  const group = GROUPS[kind] ?? 'networking';
  return {
    apiVersion: `${group}.meshrelay.dev/v1alpha1`,
    kind,
    metadata: { name: String(name), namespace: String(namespace) },
    spec,
  } as unknown as KubeObject;
}
