/** Whether what is wanted is still to change without anybody's doing: whoever compares what there is with what is wanted asks this first. */
import { key } from '@meshrelay/relay-core';
import type { Fleet } from '../store/fleet.ts';
import type { PolicyOutcomes } from './policy-outcomes.ts';

/** What is under way in a replica. */
export interface Settling {
  /** Nothing is under way: what is wanted follows from all that the replica knows, and the agents that are connected to it have it. */
  readonly settled: boolean;
  /** Changes that were heard of and from which nothing follows yet. */
  readonly changes: number;
  /** What follows from these is wanted only when they are stored in the ledger. */
  readonly decisions: {
    /** Policies without a turn, or whose spec is not remembered yet. */
    readonly policies: number;
    /** Hosts of federation and of virtual destinations that have no virtual IP yet. */
    readonly addresses: number;
    /** Clusters that have synced for the first time. */
    readonly clusters: number;
  };
  /** Objects on their way to clusters whose agents are connected to this replica; what an agent refused is not. */
  readonly deliveries: number;
}

export interface SettlingSources {
  readonly fleet: Pick<Fleet, 'controlPlane' | 'isRegistered' | 'progress' | 'unfinished' | 'fleetState'>;
  readonly outcomes: Pick<PolicyOutcomes, 'underWay'>;
}

export function settling({ fleet, outcomes }: SettlingSources): Settling {
  const { controlPlane, progress, fleetState } = fleet;
  const { policies, hosts } = controlPlane.pendingDecisions;
  const clusters = [...progress].filter(
    ([name, { complete }]) => complete && fleet.isRegistered(name) && !fleetState.ledgerClusters.has(key(name)),
  ).length;
  const decisions = { policies: policies.size, addresses: hosts.size, clusters };
  const [changes, deliveries] = [fleet.unfinished, outcomes.underWay()];
  const settled = changes + deliveries + decisions.policies + decisions.addresses + decisions.clusters === 0;
  return { settled, changes, decisions, deliveries };
}
