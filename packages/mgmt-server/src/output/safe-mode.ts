/** Safe mode: whether enough is synced to send outputs at all. It never ends by a timer. */
import type { FleetState } from '@meshrelay/relay-core';
import type { ClusterProgress } from '../store/fleet.ts';

/** Why nothing is sent yet; empty when all required inputs are synced. */
export interface SafeMode {
  readonly active: boolean;
  /** Kinds of the management cluster that are not synced. */
  readonly unknownKinds: readonly string[];
  /** Registered clusters that synced once, are not suspended, and are not synced now. */
  readonly missingClusters: readonly string[];
  /** Registered clusters that never synced; nothing waits for them. */
  readonly pendingClusters: readonly string[];
  /**
   * Registered clusters that synced once, are suspended, and are not synced now. Only outputs that may depend on them
   * wait.
   */
  readonly unheardClusters: readonly string[];
}

/**
 * Evaluates the present state. An unsynced registry keeps safe mode on: without it, "all clusters" would be an empty
 * list.
 */
export function evaluateSafeMode(
  fleetState: Pick<FleetState, 'clusters' | 'ledgerClusters'>,
  progress: ReadonlyMap<string, ClusterProgress>,
  unknownKinds: ReadonlyMap<string, string>,
): SafeMode {
  const missingClusters: string[] = [];
  const pendingClusters: string[] = [];
  const unheardClusters: string[] = [];
  for (const [clusterKey, { name, suspended }] of fleetState.clusters.entries()) {
    if (progress.get(name)?.complete === true) continue;
    const hasSynced = fleetState.ledgerClusters.has(clusterKey);
    if (hasSynced) (suspended ? unheardClusters : missingClusters).push(name);
    else if (!suspended) pendingClusters.push(name);
  }
  return {
    active: unknownKinds.size > 0 || missingClusters.length > 0,
    unknownKinds: [...unknownKinds.keys()],
    missingClusters: missingClusters.sort(),
    pendingClusters: pendingClusters.sort(),
    unheardClusters: unheardClusters.sort(),
  };
}
