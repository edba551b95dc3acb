/** The world: everything the server knows, as the sources from which all else is derived. */
import type {
  Destination,
  KubeObject,
  LedgerPolicy,
  LedgerVip,
  Mesh,
  Policy,
  PolicyRef,
  Settings,
  Workload,
} from '@meshrelay/api';
import type { Graph, Source } from '../graph/collection.ts';
import { type Key, key } from '../graph/key.ts';

/** A registered cluster. */
export interface ClusterFacts {
  readonly name: string;
  /** DNS domain of its Services. */
  readonly domain: string;
  readonly suspended: boolean;
}

/** A policy as written, and where. */
export interface PolicyObject {
  readonly ref: PolicyRef;
  readonly object: Policy;
}

/** An object of a kind that a plugin writes, as it is in a cluster: ours or the user's. */
export interface PresentObject {
  readonly cluster: string;
  readonly object: KubeObject;
}

/** The sources. Discovered objects are under `key(cluster, namespace, name)` with names and references of their own cluster. */
export interface World {
  readonly clusters: Source<ClusterFacts>;
  readonly meshes: Source<Mesh>;
  readonly workloads: Source<Workload>;
  readonly destinations: Source<Destination>;
  /** Under {@link policyKey}. */
  readonly policies: Source<PolicyObject>;
  /** The Settings object, under {@link SETTINGS_KEY}. */
  readonly settings: Source<Settings>;
  /** Under `key(cluster, group, kind, namespace, name)`. */
  readonly present: Source<PresentObject>;
  /** Decisions about policies, under {@link policyKey}. */
  readonly ledgerPolicies: Source<LedgerPolicy>;
  /** Virtual IPs, under `key(host)`. */
  readonly ledgerVips: Source<LedgerVip>;
}

/** Where the one Settings object stands. */
export const SETTINGS_KEY: Key = key('settings');

export function policyKey(ref: PolicyRef): Key {
  return key(ref.kind, ref.cluster, ref.namespace, ref.name);
}

/** The key of a cluster's object in the world. */
export function clusterObjectKey(ref: {
  readonly clusterName: string;
  readonly namespace: string;
  readonly name: string;
}): Key {
  return key(ref.clusterName, ref.namespace, ref.name);
}

export function createWorld(graph: Graph): World {
  return {
    clusters: graph.source('store/clusters'),
    meshes: graph.source('store/meshes'),
    workloads: graph.source('store/workloads'),
    destinations: graph.source('store/destinations'),
    policies: graph.source('store/policies'),
    settings: graph.source('store/settings'),
    present: graph.source('store/present'),
    ledgerPolicies: graph.source('store/ledger-policies'),
    ledgerVips: graph.source('store/ledger-vips'),
  };
}
