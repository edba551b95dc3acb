/** A short way to write fleets down: what `input.yaml` of a golden case holds. */
import type { KubeObject } from '@meshrelay/api';
import { type ClusterObjects, MANAGEMENT_NAMESPACE } from '@meshrelay/relay-core';
import { controlPlane, type OsmSpec } from './osm-objects.ts';
import { type ServiceSpec, serviceObjects } from './service-objects.ts';

export interface ClusterSpec {
  /** Control planes; omitted: one that enforces policies; empty: none. */
  readonly osm?: readonly OsmSpec[];
  /** By `<name>.<namespace>`. */
  readonly services?: Readonly<Record<string, ServiceSpec>>;
  readonly policies?: readonly PolicySpec[];
  /** Written out in full. */
  readonly objects?: readonly KubeObject[];
}

/** `TrafficPolicy: name` and a spec; the namespace is `meshrelay` where none is given. */
export type PolicySpec = Readonly<Record<string, unknown>>;

export interface FleetSpec {
  /** What the case is about, for readers. */
  readonly about: string;
  /** True: what is discovered is compared too. */
  readonly discovers?: boolean;
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

function clusterObjects({ osm = [{}], services = {}, policies = [], objects = [] }: ClusterSpec, position: number) {
  return [
    ...osm.flatMap(controlPlane),
    ...Object.entries(services).flatMap(([name, service], index) =>
      serviceObjects(name, service, `10.${position}.${index}`),
    ),
    ...policies.map(policyObject),
    ...objects,
  ];
}

const GROUPS: Readonly<Record<string, string>> = { Settings: 'admin', Ledger: 'admin' };

function policyObject({ namespace = MANAGEMENT_NAMESPACE, spec, ...named }: PolicySpec): KubeObject {
  const [[kind, name] = ['', '']] = Object.entries(named);
  return {
    apiVersion: `${GROUPS[kind] ?? 'networking'}.meshrelay.dev/v1alpha1`,
    kind,
    metadata: { name: String(name), namespace: String(namespace) },
    spec,
  } as unknown as KubeObject;
}
