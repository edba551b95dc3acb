// Ledger: decisions that cannot be recomputed from inputs, stored so that they outlive every process. Internal.
import type * as z from 'zod/mini';
import type { ADMIN_API_VERSION } from '../group.ts';
import type { JsonObject } from '../kube/json.ts';
import type { KubeObject } from '../kube/object.ts';
import { anyLength, jsonObject } from '../schema/collection.ts';
import { object } from '../schema/object.ts';
import { count, name, text } from '../schema/scalar.ts';
import type { ResourceRef } from '../shared/ref.ts';

/** When a policy was first accepted, relative to others, and its last accepted spec. */
export interface LedgerPolicy extends ResourceRef {
  /** Distinguishes a policy from a later one of the same name. */
  readonly uid?: string;
  /** Lower was accepted earlier; unique among all shards. */
  readonly sequence: number;
  /** The spec that was accepted last. It stays effective while a newer one is not accepted. */
  readonly lastAcceptedSpec?: JsonObject;
  /** The `metadata.generation` of that spec; absent if it had none. */
  readonly lastAcceptedGeneration?: number;
}

/** The virtual IP address assigned to a federated host name. */
export interface LedgerVip {
  /** Federated host name. */
  readonly host: string;
  /** IPv4 text in 240.0.0.0/4. */
  readonly address: string;
}

/** A cluster that has synced once. */
export interface LedgerCluster {
  /** Name of the KubernetesCluster. */
  readonly name: string;
  /** RFC 3339 time of the first complete snapshot. */
  readonly firstSyncTime: string;
}

/** Approved deletions of a cluster: outputs that may be deleted although no deletion of their inputs was observed. */
export interface LedgerApproval {
  /** Name of the KubernetesCluster. */
  readonly cluster: string;
  /** Identifies exactly the outputs that were held when the deletion was approved. */
  readonly digest: string;
  /** RFC 3339 time of the approval. */
  readonly approvedAt: string;
  /** Who approved it, if known. */
  readonly approvedBy?: string;
  /** `group/kind/namespace/name` of the outputs; only a part of them if several entries have the same digest. */
  readonly objects: readonly string[];
}

/** One shard of the decisions. */
export interface LedgerSpec {
  readonly policies?: readonly LedgerPolicy[];
  readonly vips?: readonly LedgerVip[];
  readonly clusters?: readonly LedgerCluster[];
  readonly approvals?: readonly LedgerApproval[];
}

/** A shard of decisions, written only by the server replica that holds the Lease. */
export interface Ledger extends KubeObject<LedgerSpec, never> {
  readonly apiVersion: typeof ADMIN_API_VERSION;
  readonly kind: 'Ledger';
}

const ledgerPolicy: z.ZodMiniType<LedgerPolicy> = object<LedgerPolicy>('LedgerPolicy', {
  required: { kind: name, name, namespace: text, cluster: text, sequence: count },
  optional: { uid: text, lastAcceptedSpec: jsonObject, lastAcceptedGeneration: count },
});

const ledgerVip: z.ZodMiniType<LedgerVip> = object<LedgerVip>('LedgerVip', {
  required: { host: name, address: name },
  optional: {},
});

const ledgerCluster: z.ZodMiniType<LedgerCluster> = object<LedgerCluster>('LedgerCluster', {
  required: { name, firstSyncTime: name },
  optional: {},
});

const ledgerApproval: z.ZodMiniType<LedgerApproval> = object<LedgerApproval>('LedgerApproval', {
  required: { cluster: name, digest: name, approvedAt: name, objects: anyLength(text) },
  optional: { approvedBy: text },
});

/** Schema of {@link LedgerSpec}. */
export const ledgerSpec: z.ZodMiniType<LedgerSpec> = object<LedgerSpec>('LedgerSpec', {
  required: {},
  optional: {
    policies: anyLength(ledgerPolicy),
    vips: anyLength(ledgerVip),
    clusters: anyLength(ledgerCluster),
    approvals: anyLength(ledgerApproval),
  },
});
