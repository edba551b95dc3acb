/** Safe mode: whether enough is synced to send outputs at all. It never ends by a timer. */
import type { FleetState } from '@meshrelay/relay-core';
import type { ClusterProgress } from '../store/fleet.ts';

/** Why nothing is sent yet; empty when all required inputs are synced. */
export interface SafeMode {
  readonly active: boolean;
  /** Kinds of the management cluster that are not synced. */
  readonly unsyncedKinds: readonly string[];
  /** Registered clusters that synced once, are not suspended, and are not synced now. */
  readonly unsyncedClusters: readonly string[];
  /** Registered clusters that never synced; nothing waits for them. */
  readonly pendingClusters: readonly string[];
  /**
   * Registered clusters that synced once, are suspended, and are not synced now. Only outputs that may depend on them
   * wait.
   */
  readonly unsyncedSuspendedClusters: readonly string[];
}

/**
 * Evaluates the present state. An unsynced registry keeps safe mode on: without it, "all clusters" would be an empty
 * list.
 */
export function evaluateSafeMode(
  fleetState: Pick<FleetState, 'clusters' | 'ledgerClusters'>,
  progress: ReadonlyMap<string, ClusterProgress>,
  unsyncedKinds: ReadonlyMap<string, string>,
): SafeMode {
  const unsyncedClusters: string[] = [];
  const pendingClusters: string[] = [];
  const unsyncedSuspendedClusters: string[] = [];
  for (const [clusterKey, { name, suspended }] of fleetState.clusters.entries()) {
    if (progress.get(name)?.complete === true) continue;
    const hasSynced = fleetState.ledgerClusters.has(clusterKey);
    if (hasSynced) (suspended ? unsyncedSuspendedClusters : unsyncedClusters).push(name);
    else if (!suspended) pendingClusters.push(name);
  }
  return {
    active: unsyncedKinds.size > 0 || unsyncedClusters.length > 0,
    unsyncedKinds: [...unsyncedKinds.keys()],
    unsyncedClusters: unsyncedClusters.sort(),
    pendingClusters: pendingClusters.sort(),
    unsyncedSuspendedClusters: unsyncedSuspendedClusters.sort(),
  };
}
