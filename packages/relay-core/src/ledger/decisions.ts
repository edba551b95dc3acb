/** Pending decisions: policies whose acceptance sequence must be recorded, and hosts that need a virtual IP. */
import {
  type JsonObject,
  type LedgerCluster,
  type LedgerPolicy,
  type LedgerVip,
  type Policy,
  type PolicyRef,
  policyKinds,
} from '@meshrelay/api';
import { type Collection, type Group, type Key, key, memoizeUntilCompaction } from '@meshrelay/plugin';
import type { Graph } from '../graph/collection.ts';
import { canonicalJson, type Hasher } from '../input/canonical.ts';
import { type Exported, isAbout, type Resolved } from '../resolve/mod.ts';
import type { PackedPolicyStatus } from '../status/mod.ts';
import type { FleetState } from '../store/fleet-state.ts';
import { compareRefs } from '../store/precedence.ts';
import { allocateVirtualIps, robbedHosts } from './virtual-ips.ts';

/** A policy whose entry in the ledger is missing or outdated. */
export interface UndecidedPolicy {
  readonly ref: PolicyRef;
  readonly uid?: string;
  readonly generation: number;
  /** The spec that stays effective if a later edit is invalid. */
  readonly spec: JsonObject;
  /** Its acceptance sequence, if it has one. */
  readonly sequence?: number;
}

export interface PendingDecisions {
  /** Effective policies without a sequence, and policies with one whose valid spec differs from the recorded one. */
  readonly policies: Collection<UndecidedPolicy>;
  /** Ledger entries of policies that no cluster reports. */
  readonly gone: Collection<LedgerPolicy>;
  /** Hosts of federated and virtual destinations without an address, under `key(host)`. */
  readonly hosts: Collection<string>;
  /** The federated destinations of each host, with an address or without, under the same keys. */
  readonly exports: Collection<Group<Exported>>;
  /** Hosts whose address another host has too, by address. */
  readonly robbed: Collection<readonly string[]>;
}

/** New entries for the ledger, and entries to delete. */
export interface Decisions {
  readonly policies: readonly LedgerPolicy[];
  readonly gone: readonly LedgerPolicy[];
  readonly vips: readonly LedgerVip[];
  /** Clusters that have synced for the first time. */
  readonly clusters: readonly LedgerCluster[];
  /** Names of clusters that are no longer registered. */
  readonly left?: readonly string[];
}

export function pendingDecisions(
  graph: Graph,
  fleetState: FleetState,
  resolved: Resolved,
  evaluated: Collection<PackedPolicyStatus>,
): PendingDecisions {
  const exports = graph.group(
    'ledger/federated-hosts',
    resolved.federation.exported,
    (exported): Array<readonly [Key, Exported]> => [[key(exported.hostname), exported]],
  );
  const hosts = graph.join('ledger/hosts', [
    graph.derive('ledger/federated-hostnames', exports, ([exported]) => exported?.hostname),
    resolved.virtualDestinations.hostnames,
  ]);
  const effectivePolicies = graph.derive('ledger/effective-policies', evaluated, ({ about }) =>
    about.isEffective ? true : undefined,
  );
  const { reported, distinct } = resolved.policies;
  return {
    exports,
    policies: graph.derive('ledger/pending-policies', distinct, (policy, read, policyKey) => {
      const { ref, uid, generation, object, faults } = policy;
      if (object === undefined || faults.length > 0) return undefined;
      const known = read.get(fleetState.ledgerPolicies, policyKey);
      const decision = known !== undefined && isAbout(known, policy) ? known : undefined;
      if (decision === undefined ? !read.has(effectivePolicies, policyKey) : isMemoized(decision, uid, object))
        return undefined;
      return {
        ref,
        ...(uid === undefined ? {} : { uid }),
        generation,
        spec: object.spec as unknown as JsonObject,
        ...(decision === undefined ? {} : { sequence: decision.sequence }),
      };
    }),
    gone: graph.derive('ledger/deleted-policies', fleetState.ledgerPolicies, (entry, read, policyKey) =>
      // An older release that leads cannot see whether policies of a newer kind exist.
      !POLICY_KINDS.has(entry.kind) || read.has(reported, policyKey) ? undefined : entry,
    ),
    hosts: graph.derive('ledger/pending-hosts', hosts, (host, read, hostKey) =>
      read.has(fleetState.ledgerVips, hostKey) ? undefined : host,
    ),
    robbed: graph.gather<LedgerVip, string, readonly string[]>(
      'ledger/reassigned-hosts',
      [fleetState.ledgerVips],
      ({ host, address }) => [[key(address), host]],
      robbedHosts,
    ).made,
  };
}

const POLICY_KINDS: ReadonlySet<string> = new Set(policyKinds);

function isMemoized(decision: LedgerPolicy, uid: string | undefined, object: Policy): boolean {
  return (uid === undefined || decision.uid === uid) && lastAccepted(decision) === specText(object);
}

// API servers return an object's fields in an order of their own.
const specText = memoizeUntilCompaction((object: Policy) => canonicalJson(object.spec));
const lastAccepted = memoizeUntilCompaction(({ lastAcceptedSpec }: LedgerPolicy) =>
  canonicalJson(lastAcceptedSpec ?? null),
);

/**
 * Makes all pending decisions, in a fixed order; undefined if none is pending. Only the holder of the Lease writes the
 * result.
 * @param isKnown whether the policies of a cluster ('' is the management cluster) are synced, so that an unreported
 * policy is deleted
 */
export function decide(
  fleetState: FleetState,
  waiting: PendingDecisions,
  hash: Hasher,
  isKnown: (cluster: string) => boolean = () => false,
): Decisions | undefined {
  const gone = [...waiting.gone.entries()].map(([, entry]) => entry).filter(({ cluster }) => isKnown(cluster));
  if (waiting.policies.size === 0 && waiting.hosts.size === 0 && gone.length === 0) return undefined;
  const pending = [...waiting.policies.entries()].map(([, policy]) => policy);
  let last = 0;
  for (const [, sequence] of fleetState.lastSequences.entries()) last = Math.max(last, sequence);
  const policies = pending
    .sort((a, b) => compareRefs(a.ref, b.ref))
    .map(({ ref, uid, generation, spec, sequence }): LedgerPolicy => {
      if (sequence === undefined) last += 1;
      return {
        kind: ref.kind,
        cluster: ref.cluster,
        namespace: ref.namespace,
        name: ref.name,
        ...(uid === undefined ? {} : { uid }),
        sequence: sequence ?? last,
        lastAcceptedSpec: spec,
        ...(generation === 0 ? {} : { lastAcceptedGeneration: generation }),
      };
    });
  return { policies, gone: gone.sort(compareRefs), vips: newAddresses(fleetState, waiting, hash), clusters: [] };
}

/** Most decisions concern only policies, and must not iterate over all addresses. */
function newAddresses(fleetState: FleetState, waiting: PendingDecisions, hash: Hasher): LedgerVip[] {
  const robbed = [...waiting.robbed.entries()].flatMap(([, hosts]) => hosts);
  const hosts = [...[...waiting.hosts.entries()].map(([, host]) => host), ...robbed];
  if (hosts.length === 0) return [];
  const taken = new Set([...fleetState.ledgerVips.entries()].map(([, { address }]) => address));
  return allocateVirtualIps(hosts, taken, hash);
}
