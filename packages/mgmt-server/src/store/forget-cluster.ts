/** Takes everything a cluster ever told out of the world. */
import { type Collection, type Key, partsOf, type Source, type Transaction, type World } from '@meshrelay/relay-core';

/** Looks through the whole world: right however much of the cluster is known elsewhere, and rare. */
export function forgetCluster(transaction: Transaction, world: World, cluster: string): void {
  const sources: ReadonlyArray<Source<unknown>> = [
    world.meshes,
    world.workloads,
    world.destinations,
    world.namespaces,
    world.present,
  ];
  for (const source of sources)
    for (const key of keysOf(source)) if (partsOf(key)[0] === cluster) transaction.delete(source, key);
  for (const policies of [world.policies, world.unreadable])
    for (const [key, { ref }] of [...policies.entries()])
      if (ref.cluster === cluster) transaction.delete(policies, key);
}

function keysOf(collection: Collection<unknown>): Key[] {
  return [...collection.entries()].map(([key]) => key);
}
