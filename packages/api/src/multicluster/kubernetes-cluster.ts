// KubernetesCluster: a cluster that belongs to the fleet.
import type { z } from 'zod';
import type { MULTICLUSTER_API_VERSION } from '../group.ts';
import type { KubeObject } from '../kube/object.ts';
import { list } from '../schema/collection.ts';
import { object } from '../schema/object.ts';
import { count, dnsName, flag, name, oneOf, text } from '../schema/scalar.ts';
import { type Condition, conditions } from '../shared/status.ts';

/** How a registered cluster is reached and named. */
export interface KubernetesClusterSpec {
  /** Secret with a kubeconfig, in direct mode only; omitted when an agent dials in. */
  readonly secretName?: string;
  /** DNS domain of the cluster's Services. Default: `cluster.local`. */
  readonly clusterDomain?: string;
  /**
   * Trust domains that the cluster's meshes may have; a mesh that says it has another is no member of any VirtualMesh. Meshes of clusters that do not list a trust
   * domain which is listed here are none either. Omitted means whatever they say, but for those that other clusters list.
   */
  readonly trustDomains?: readonly string[];
  /**
   * IP addresses and host names that the cluster's gateways may have; other clusters are not sent to any that is not listed, nor are they to another cluster's
   * gateway that says it has one of these. Omitted means whatever they have, but for those that other clusters list.
   */
  readonly gatewayAddresses?: readonly string[];
  /** True stops every write to this cluster; what it already has stays. */
  readonly suspended?: boolean;
  /** True keeps the cluster's outputs as they are: nothing new is sent, and what it tells still counts. */
  readonly paused?: boolean;
  /** True removes everything of ours from the cluster, as `meshctl cluster deregister` does before it ends the registration. */
  readonly draining?: boolean;
}

/** At most this many held outputs are named in one status; `count` counts them all. */
export const MAX_HELD_OUTPUTS = 50;

/**
 * CONNECTED: an agent is connected. PENDING: never synced yet. DISCONNECTED: was, and is not. SUSPENDED: by its spec. DRAINING: everything of ours is being
 * removed, by its spec. DRAINED: nothing of ours is left. UNKNOWN: an agent may be connected to another replica of the server, which is not heard.
 */
export type ClusterState = 'PENDING' | 'CONNECTED' | 'DISCONNECTED' | 'SUSPENDED' | 'DRAINING' | 'DRAINED' | 'UNKNOWN';

/** An output that is held. */
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

/** Deletions that wait for `meshctl approve`, since nobody was seen to delete what the outputs follow from. */
export interface HeldDeletions {
  /** Stands for exactly these outputs; what is approved names it. */
  readonly digest: string;
  /** How many outputs are held. */
  readonly count: number;
  /** The first of them. */
  readonly outputs: readonly HeldOutput[];
}

/** What the server knows of a cluster. */
export interface KubernetesClusterStatus {
  /** The `metadata.generation` this was judged on. */
  readonly observedGeneration?: number;
  readonly state?: ClusterState;
  /** Name of the server replica the cluster's agent is connected to. */
  readonly connectedReplica?: string;
  /** RFC 3339 time the first complete snapshot arrived. */
  readonly firstSyncedAt?: string;
  /** Go-style duration the cluster's acknowledged outputs are behind the server's. */
  readonly lag?: string;
  /** Go-style duration for which the agent has had changes of its cluster that it could not tell. */
  readonly inputLag?: string;
  /** `term/number` of the newest inputs of the cluster that were acknowledged. */
  readonly inputVersion?: string;
  /** RFC 3339 time at which the agent was last connected, while it is not. Where all servers had ended meanwhile: until when they said that it was. */
  readonly lastHeardAt?: string;
  /** Name of the server replica the agent was connected to last, while it is connected to none. */
  readonly lastReplica?: string;
  /** Name and version of the agent. */
  readonly agentVersion?: string;
  /** What both the agent and the server can do beyond the first edition of the relay. */
  readonly capabilities?: readonly string[];
  /** RFC 3339 end of the agent's client certificate. */
  readonly certificateExpiry?: string;
  /** True while the cluster's outputs are kept as they are, by its spec or by Settings. */
  readonly paused?: boolean;
  /** Absent where nothing is held. */
  readonly held?: HeldDeletions;
  readonly conditions?: readonly Condition[];
}

/** A registered cluster; its name is the name every other object uses for it. */
export interface KubernetesCluster extends KubeObject<KubernetesClusterSpec, KubernetesClusterStatus> {
  readonly apiVersion: typeof MULTICLUSTER_API_VERSION;
  readonly kind: 'KubernetesCluster';
}

/** Schema of {@link KubernetesClusterSpec}. */
export const kubernetesClusterSpec: z.ZodType<KubernetesClusterSpec> = object<KubernetesClusterSpec>(
  'KubernetesClusterSpec',
  {
    required: {},
    optional: {
      secretName: name,
      clusterDomain: dnsName,
      trustDomains: list(name),
      gatewayAddresses: list(name),
      suspended: flag,
      paused: flag,
      draining: flag,
    },
  },
);

const heldOutput: z.ZodType<HeldOutput> = object<HeldOutput>('HeldOutput', {
  required: { group: text, kind: name, namespace: text, name },
  optional: {},
});

const heldDeletions: z.ZodType<HeldDeletions> = object<HeldDeletions>('HeldDeletions', {
  required: { digest: name, count, outputs: list(heldOutput) },
  optional: {},
});

/** Schema of {@link KubernetesClusterStatus}. */
export const kubernetesClusterStatus: z.ZodType<KubernetesClusterStatus> = object<KubernetesClusterStatus>(
  'KubernetesClusterStatus',
  {
    required: {},
    optional: {
      observedGeneration: count,
      state: oneOf('PENDING', 'CONNECTED', 'DISCONNECTED', 'SUSPENDED', 'DRAINING', 'DRAINED', 'UNKNOWN'),
      connectedReplica: text,
      firstSyncedAt: text,
      lag: text,
      inputLag: text,
      inputVersion: text,
      lastHeardAt: text,
      lastReplica: text,
      agentVersion: text,
      capabilities: list(text),
      certificateExpiry: text,
      paused: flag,
      held: heldDeletions,
      conditions,
    },
  },
);
