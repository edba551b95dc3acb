/** Safe mode: whether enough is known that outputs may be sent at all. It never ends by a timer. */
import type { FleetState } from '@meshrelay/relay-core';
import type { ClusterProgress } from '../store/fleet.ts';

/** Why nothing is sent yet; empty when everything that is needed is known. */
export interface SafeMode {
  readonly active: boolean;
  /** Kinds of the management cluster that are not known in full. */
  readonly unknownKinds: readonly string[];
  /** Registered clusters that synced once, are not suspended, and are not known in full. */
  readonly missingClusters: readonly string[];
  /** Registered clusters that never synced; they do not hold anything up. */
  readonly pendingClusters: readonly string[];
  /** Registered clusters that synced once, are suspended, and are not known in full: nothing waits for them but what may be there because of them. */
  readonly unheardClusters: readonly string[];
}

/** Judges from what is known now. An unknown registry holds everything: without it, "all clusters" would be true of none. */
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
