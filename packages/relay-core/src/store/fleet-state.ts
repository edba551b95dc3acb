/** The fleet state: everything the server knows, as the sources from which all else is derived. */
import type {
  Destination,
  DiscoverySettings,
  KubeObject,
  Ledger,
  LedgerApproval,
  LedgerCluster,
  LedgerPolicy,
  LedgerVip,
  Mesh,
  Policy,
  PolicyRef,
  Report,
  Settings,
  SettingsSpec,
  TlsMode,
  Workload,
} from '@meshrelay/api';
import { type Collection, type Index, type Key, key } from '@meshrelay/plugin';
import type { Graph, Source } from '../graph/collection.ts';
import type { Packed } from '../packed/packed.ts';

/** A registered cluster. */
export interface ClusterFacts {
  readonly name: string;
  /** DNS domain of its Services. */
  readonly domain: string;
  /** The trust domains that its meshes may have. Absent: any that no other cluster lists. */
  readonly trustDomains?: readonly string[];
  /** The addresses that its gateways may have, each in canonical form. Absent: any that no other cluster lists. */
  readonly gatewayAddresses?: readonly string[];
  readonly suspended: boolean;
  /** No updates are sent to it. */
  readonly paused?: true;
  /** All managed objects must be deleted from it. */
  readonly draining?: true;
  /** The digest of the held deletions that a user approved. */
  readonly approved?: string;
  /** The Secret with its kubeconfig, if a server accesses it directly. */
  readonly secretName?: string;
}

/** A namespace of a workload cluster. */
export interface NamespaceFacts {
  readonly cluster: string;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** A policy as written, with its location. */
export interface PolicyObject {
  readonly ref: PolicyRef;
  readonly object: Policy;
  /** The validation rules that its values violate, if decoding has checked them. */
  readonly faults?: readonly Report[];
}

/** A policy that exists and cannot be parsed, since it does not have the shape of its kind. */
export interface UnreadablePolicy {
  readonly ref: PolicyRef;
  readonly uid?: string;
  readonly generation?: number;
  /** The faults of its shape. */
  readonly reports: readonly Report[];
}

/** An object of a kind that a plugin writes, as it is in a cluster: managed or user-owned. */
export interface PresentObject {
  readonly cluster: string;
  readonly object: Packed<KubeObject>;
}

/** The root of a virtual mesh that expires before the intermediates that it would sign now. */
export interface ShortLivedRoot {
  /** The Secret that holds it, `namespace/name`. */
  readonly secret: string;
  /** When it expires, RFC 3339. */
  readonly notAfter: string;
}

/**
 * The sources. Discovered objects are under `key(cluster, namespace, name)` with names and references of their own
 * cluster.
 */
export interface FleetState {
  /** Under `key(name)`. */
  readonly clusters: Source<ClusterFacts>;
  readonly meshes: Source<Mesh>;
  readonly workloads: Source<Packed<Workload>>;
  readonly destinations: Source<Packed<Destination>>;
  /** Those of workload clusters, under `key(cluster, name)`. */
  readonly namespaces: Source<NamespaceFacts>;
  /** Under {@link policyKey}. */
  readonly policies: Source<PolicyObject>;
  /** Under the same keys: a policy is in only one of the two. */
  readonly unreadable: Source<UnreadablePolicy>;
  /** For VirtualMeshes, under {@link policyKey}: derived from the Secret of the root and the current time. */
  readonly shortLivedRoots: Source<ShortLivedRoot>;
  /** The Settings object, under {@link SETTINGS_KEY}. */
  readonly settings: Source<Settings>;
  /**
   * The parts of Settings, all under {@link SETTINGS_KEY}. Everything derived from Settings depends on a part, so other
   * changes of the object, mainly of its status, have no effect.
   */
  readonly settingsSpec: Collection<SettingsSpec>;
  readonly discoverySettings: Collection<DiscoverySettings>;
  /** How callers connect to workloads of Istio if no policy defines it. */
  readonly tlsModeByDefault: Collection<TlsMode>;
  /** Under `key(cluster, group, kind, namespace, name)`. */
  readonly present: Source<PresentObject>;
  /** Shards of the ledger, under `key(name)`. */
  readonly ledgers: Source<Ledger>;
  /** Decisions about policies, from the shards, under {@link policyKey}. */
  readonly ledgerPolicies: Collection<LedgerPolicy>;
  /**
   * The shards with a decision about a policy, by its {@link policyKey}: only one, unless other clients wrote to them.
   */
  readonly ledgersOfPolicy: Index<Ledger>;
  /** The highest sequence number in a shard, by the shard's key. */
  readonly lastSequences: Collection<number>;
  /** Virtual IPs, under `key(host)`. */
  readonly ledgerVips: Collection<LedgerVip>;
  /** The shards with an address for a host, by `key(host)`. */
  readonly ledgersOfHost: Index<Ledger>;
  /** Clusters that have synced once, under `key(name)`. */
  readonly ledgerClusters: Collection<LedgerCluster>;
  /** Approved deletions of outputs, under `key(shard, digest, cluster)`. */
  readonly ledgerApprovals: Collection<LedgerApproval>;
}

/** The name of the only effective Settings object. */
export const SETTINGS_NAME = 'settings';

/** Its key. */
export const SETTINGS_KEY: Key = key(SETTINGS_NAME);

export function policyKey(ref: PolicyRef): Key {
  return key(ref.kind, ref.cluster, ref.namespace, ref.name);
}

/** The key of a cluster's object in the fleet state. */
export function clusterObjectKey(ref: {
  readonly clusterName: string;
  readonly namespace: string;
  readonly name: string;
}): Key {
  return key(ref.clusterName, ref.namespace, ref.name);
}

export function createFleetState(graph: Graph): FleetState {
  const ledgers = graph.source<Ledger>('store/ledgers');
  const settings = graph.source<Settings>('store/settings');
  return {
    clusters: graph.source('store/clusters'),
    meshes: graph.source('store/meshes'),
    workloads: graph.source('store/workloads', { keysInBytes: true }),
    destinations: graph.source('store/destinations'),
    namespaces: graph.source('store/namespaces'),
    policies: graph.source('store/policies'),
    unreadable: graph.source('store/unreadable-policies'),
    shortLivedRoots: graph.source('store/short-lived-roots'),
    settings,
    settingsSpec: graph.derive('store/settings-spec', settings, ({ spec }) => spec),
    discoverySettings: graph.derive('store/discovery-settings', settings, ({ spec }) => spec.discovery),
    tlsModeByDefault: graph.derive('store/tls-mode-by-default', settings, ({ spec }) => spec.mtls?.istio?.tlsMode),
    present: graph.source('store/present'),
    ledgers,
    ledgerPolicies: graph.deriveMany('store/ledger-policies', ledgers, ({ spec }) =>
      (spec.policies ?? []).map((entry) => [policyKey(entry), entry] as const),
    ),
    ledgersOfPolicy: graph.index(ledgers, 'store/ledgers-of-policy', ({ spec }) =>
      (spec.policies ?? []).map(policyKey),
    ),
    lastSequences: graph.derive('store/last-sequences', ledgers, ({ spec: { policies = [] } }) =>
      policies.reduce((last, { sequence }) => Math.max(last, sequence), 0),
    ),
    ledgerVips: graph.deriveMany('store/ledger-vips', ledgers, ({ spec }) =>
      (spec.vips ?? []).map((entry) => [key(entry.host), entry] as const),
    ),
    ledgersOfHost: graph.index(ledgers, 'store/ledgers-of-host', ({ spec }) =>
      (spec.vips ?? []).map(({ host }) => key(host)),
    ),
    ledgerClusters: graph.deriveMany('store/ledger-clusters', ledgers, ({ spec }) =>
      (spec.clusters ?? []).map((entry) => [key(entry.name), entry] as const),
    ),
    ledgerApprovals: graph.deriveMany('store/ledger-approvals', ledgers, ({ spec, metadata }) =>
      (spec.approvals ?? []).map((entry) => [key(metadata.name, entry.digest, entry.cluster), entry] as const),
    ),
  };
}
