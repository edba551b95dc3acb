/** Removes all data of a cluster from the fleet state. */
import {
  type Collection,
  type FleetState,
  type Key,
  partsOf,
  type Source,
  type Transaction,
} from '@meshrelay/relay-core';

/** Scans the whole fleet state: correct whatever part of the cluster is present, and rare. */
export function forgetCluster(transaction: Transaction, fleetState: FleetState, cluster: string): void {
  const sources: ReadonlyArray<Source<unknown>> = [
    fleetState.meshes,
    fleetState.workloads,
    fleetState.destinations,
    fleetState.namespaces,
    fleetState.present,
  ];
  for (const source of sources)
    for (const key of keysOf(source)) if (partsOf(key)[0] === cluster) transaction.delete(source, key);
  for (const policies of [fleetState.policies, fleetState.unreadable])
    for (const [key, { ref }] of [...policies.entries()])
      if (ref.cluster === cluster) transaction.delete(policies, key);
}

function keysOf(collection: Collection<unknown>): Key[] {
  return [...collection.entries()].map(([key]) => key);
}
