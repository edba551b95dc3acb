/** The fleets on which rows run: the demo's clusters, apps and policies. */
import { readFileSync } from 'node:fs';
import type { KubeObject } from '@meshrelay/api';
import { MANAGEMENT, POLICIES, WORKLOADS } from '@meshrelay/demo/clusters';
import type { ClusterPlan } from '@meshrelay/local-fleet';
import { parseAllDocuments } from 'yaml';

/** Composition of a fleet. */
export interface FleetPlan {
  readonly management: ClusterPlan;
  readonly workloads: readonly ClusterPlan[];
  readonly policies: readonly KubeObject[];
  /** Number of server replicas. */
  readonly servers: number;
  /** Whether the servers share a Redis; without it there is one server. */
  readonly redis: boolean;
  /** Whether the servers connect to the clusters directly, by kubeconfigs, and no agent runs. */
  readonly direct: boolean;
  /** Added to the environment of a program, by its name. */
  readonly env?: (program: string) => Readonly<Record<string, string>>;
}

function policies(): KubeObject[] {
  return parseAllDocuments(readFileSync(POLICIES, 'utf8')).map((document) => document.toJS() as KubeObject);
}

/** Two clusters with Istio and one with OSM. */
export const WHOLE: FleetPlan = {
  management: MANAGEMENT,
  workloads: WORKLOADS,
  policies: policies(),
  servers: 1,
  redis: false,
  direct: false,
};

/** The same with three servers on one Redis. */
export const SHARED: FleetPlan = { ...WHOLE, servers: 3, redis: true };

/** The same without agents. */
export const DIRECT: FleetPlan = {
  ...SHARED,
  workloads: WORKLOADS.map((workload) => ({ ...workload, agents: 0 })),
  direct: true,
};
