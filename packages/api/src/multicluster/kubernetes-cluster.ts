// KubernetesCluster: a registered cluster.
import type * as z from 'zod/mini';
import { DEFAULT_CLUSTER_DOMAIN } from '../defaults.ts';
import type { MULTICLUSTER_API_VERSION } from '../group.ts';
import type { KubeObject } from '../kube/object.ts';
import { list } from '../schema/collection.ts';
import { filledIn } from '../schema/filled-in.ts';
import { object } from '../schema/object.ts';
import { count, dnsName, flag, name, oneOf, text } from '../schema/scalar.ts';
import { type Condition, conditions } from '../shared/status.ts';

/** Address and names of a registered cluster. */
export interface KubernetesClusterSpec {
  /** Secret with a kubeconfig, in direct mode only; omitted if an agent connects. */
  readonly secretName?: string;
  /** DNS domain of the cluster's Services. Default: `cluster.local`. */
  readonly clusterDomain?: string;
  /**
   * Trust domains that the cluster's meshes may have. A mesh that reports another one cannot be a member of a
   * VirtualMesh. Neither can a mesh that reports a listed one in a cluster that does not list it. Omitted: any trust
   * domain, except those that other clusters list.
   */
  readonly trustDomains?: readonly string[];
  /**
   * IP addresses and host names that the cluster's gateways may have. Other clusters are not routed to a gateway
   * address that is not listed, nor to another cluster's gateway that reports a listed one. Omitted: any address,
   * except those that other clusters list.
   */
  readonly gatewayAddresses?: readonly string[];
  /** True stops every write to this cluster; its present objects stay. */
  readonly suspended?: boolean;
  /** True keeps the cluster's outputs unchanged: no new outputs are sent, and its observed objects still count. */
  readonly paused?: boolean;
  /**
   * True deletes all generated objects from the cluster, as `meshctl cluster deregister` does before it ends the
   * registration.
   */
  readonly draining?: boolean;
}

/** Maximum number of held outputs in one status; `count` counts them all. */
export const MAX_HELD_OUTPUTS = 50;

/**
 * CONNECTED: an agent is connected. PENDING: never synced yet. DISCONNECTED: was connected, and is not. SUSPENDED: by
 * its spec. DRAINING: all generated objects are being deleted, by its spec. DRAINED: no generated object is left.
 * UNKNOWN: an agent may be connected to another replica of the server, which does not answer.
 */
export type ClusterState = 'PENDING' | 'CONNECTED' | 'DISCONNECTED' | 'SUSPENDED' | 'DRAINING' | 'DRAINED' | 'UNKNOWN';

/** An output whose deletion is held. */
export interface HeldOutput {
  /** API group of the output; empty for the core group. */
  readonly group: string;
  /** Kind of the output. */
  readonly kind: string;
  /** Empty for cluster-scoped objects. */
  readonly namespace: string;
  /** Name of the output. */
  readonly name: string;
}

/** Deletions that wait for `meshctl approve`, because no deletion of their inputs was observed. */
export interface HeldDeletions {
  /** Identifies exactly these outputs; an approval names it. */
  readonly digest: string;
  /** Number of held outputs. */
  readonly count: number;
  /** The first of them. */
  readonly outputs: readonly HeldOutput[];
}

/** The server's view of a cluster. */
export interface KubernetesClusterStatus {
  /** The `metadata.generation` that this status describes. */
  readonly observedGeneration?: number;
  readonly state?: ClusterState;
  /** Name of the server replica the cluster's agent is connected to. */
  readonly connectedReplica?: string;
  /** RFC 3339 time the first complete snapshot arrived. */
  readonly firstSyncTime?: string;
  /** Go-style duration by which the cluster's acknowledged outputs lag behind the server's. */
  readonly lag?: string;
  /** Go-style duration for which the agent has had changes of its cluster that it could not send. */
  readonly inputLag?: string;
  /** `term/number` of the newest acknowledged inputs of the cluster. */
  readonly inputVersion?: string;
  /**
   * RFC 3339 time at which the agent was last connected; absent while it is. After a restart of all servers, the last
   * time at which one reported the connection.
   */
  readonly lastConnectedTime?: string;
  /** Name of the server replica that the agent was last connected to; absent while it is connected. */
  readonly lastReplica?: string;
  /** Name and version of the agent. */
  readonly agentVersion?: string;
  /** Capabilities that both agent and server support in addition to the first edition of the relay protocol. */
  readonly capabilities?: readonly string[];
  /** RFC 3339 end of the agent's client certificate. */
  readonly certificateExpiry?: string;
  /** True while the cluster's outputs stay unchanged, by its spec or by Settings. */
  readonly paused?: boolean;
  /** Absent if no deletion is held. */
  readonly heldDeletions?: HeldDeletions;
  readonly conditions?: readonly Condition[];
}

/** A registered cluster; all other objects refer to the cluster by its name. */
export interface KubernetesCluster extends KubeObject<KubernetesClusterSpec, KubernetesClusterStatus> {
  readonly apiVersion: typeof MULTICLUSTER_API_VERSION;
  readonly kind: 'KubernetesCluster';
}

/** Schema of {@link KubernetesClusterSpec}. */
export const kubernetesClusterSpec: z.ZodMiniType<KubernetesClusterSpec> = object<KubernetesClusterSpec>(
  'KubernetesClusterSpec',
  {
    required: {},
    optional: {
      secretName: name,
      clusterDomain: filledIn(dnsName, DEFAULT_CLUSTER_DOMAIN),
      trustDomains: list(name),
      gatewayAddresses: list(name),
      suspended: flag,
      paused: flag,
      draining: flag,
    },
  },
);

const heldOutput: z.ZodMiniType<HeldOutput> = object<HeldOutput>('HeldOutput', {
  required: { group: text, kind: name, namespace: text, name },
  optional: {},
});

const heldDeletions: z.ZodMiniType<HeldDeletions> = object<HeldDeletions>('HeldDeletions', {
  required: { digest: name, count, outputs: list(heldOutput) },
  optional: {},
});

/** Schema of {@link KubernetesClusterStatus}. */
export const kubernetesClusterStatus: z.ZodMiniType<KubernetesClusterStatus> = object<KubernetesClusterStatus>(
  'KubernetesClusterStatus',
  {
    required: {},
    optional: {
      observedGeneration: count,
      state: oneOf('PENDING', 'CONNECTED', 'DISCONNECTED', 'SUSPENDED', 'DRAINING', 'DRAINED', 'UNKNOWN'),
      connectedReplica: text,
      firstSyncTime: text,
      lag: text,
      inputLag: text,
      inputVersion: text,
      lastConnectedTime: text,
      lastReplica: text,
      agentVersion: text,
      capabilities: list(text),
      certificateExpiry: text,
      paused: flag,
      heldDeletions,
      conditions,
    },
  },
);
