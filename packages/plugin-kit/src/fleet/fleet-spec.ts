/** The short form of fleets, as in `input.yaml` of a golden case. */
import type { KubeObject } from '@meshrelay/api';
import type { NodeSpec } from './node-object.ts';
import type { PolicySpec } from './policy-object.ts';
import type { ServiceSpec } from './service-objects.ts';

/**
 * Short form of a cluster. The key with the name of a mesh type holds its control planes; omitted: one with its
 * defaults; empty: none.
 */
export interface ClusterSpec {
  /** Of all nodes. */
  readonly region?: string;
  /** Addresses of the only node, by type. */
  readonly node?: Readonly<Record<string, string>>;
  /** By name, instead of the only node; the pods of each Service are placed on them in turn. */
  readonly nodes?: Readonly<Record<string, NodeSpec>>;
  /** By `<name>.<namespace>`. */
  readonly services?: Readonly<Record<string, ServiceSpec>>;
  /** Labels of namespaces, by name; others have none. */
  readonly namespaces?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly policies?: readonly PolicySpec[];
  /** Complete objects. */
  readonly objects?: readonly KubeObject[];
  readonly [meshType: string]: unknown;
}

/** Short form of a fleet. */
export interface FleetSpec {
  /** The subject of the case, for readers. */
  readonly about: string;
  /** True: the case is about discovery, so the discovered objects are recorded too. */
  readonly discovers?: boolean;
  readonly clusters: Readonly<Record<string, ClusterSpec>>;
  readonly management?: readonly PolicySpec[];
}
