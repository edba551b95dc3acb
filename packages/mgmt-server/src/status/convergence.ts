/**
 * Convergence: whether the desired state will still change without new input. Check this before comparing a cluster
 * with its desired state.
 */
import { key } from '@meshrelay/relay-core';
import type { Fleet } from '../store/fleet.ts';
import type { PolicyOutcomes } from './policy-outcomes.ts';

/** Work in progress in a replica. */
export interface Convergence {
  /** Nothing is in progress: the desired state reflects all known inputs, and the agents connected here have it. */
  readonly converged: boolean;
  /** Observed changes that are not in the desired state yet. */
  readonly changes: number;
  /** Decisions whose outputs are desired only once the ledger has stored them. */
  readonly decisions: {
    /** Policies without an order, or whose spec is not recorded yet. */
    readonly policies: number;
    /** Hosts of federation and of virtual destinations without a virtual IP. */
    readonly addresses: number;
    /** Clusters that have synced for the first time. */
    readonly clusters: number;
  };
  /** Objects being sent to clusters whose agents are connected to this replica; rejected objects do not count. */
  readonly deliveries: number;
}

export interface ConvergenceSources {
  readonly fleet: Pick<Fleet, 'controlPlane' | 'isRegistered' | 'progress' | 'unfinished' | 'fleetState'>;
  readonly outcomes: Pick<PolicyOutcomes, 'underWay'>;
}

export function convergence({ fleet, outcomes }: ConvergenceSources): Convergence {
  const { controlPlane, progress, fleetState } = fleet;
  const { policies, hosts } = controlPlane.pendingDecisions;
  const clusters = [...progress].filter(
    ([name, { complete }]) => complete && fleet.isRegistered(name) && !fleetState.ledgerClusters.has(key(name)),
  ).length;
  const decisions = { policies: policies.size, addresses: hosts.size, clusters };
  const [changes, deliveries] = [fleet.unfinished, outcomes.underWay()];
  const converged = changes + deliveries + decisions.policies + decisions.addresses + decisions.clusters === 0;
  return { converged, changes, decisions, deliveries };
}
