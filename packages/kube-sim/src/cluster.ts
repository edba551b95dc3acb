/** The state and surroundings that every request works on. */
import type { Clock } from './clock.ts';
import type { Catalog } from './resources/catalog.ts';
import type { StrategyContext } from './resources/definition.ts';
import type { ObjectStore } from './storage/object-store.ts';
import type { ReadableStore } from './storage/readable-store.ts';

/** One simulated cluster. */
export interface Cluster {
  /** How logs and the kubeconfig call it. */
  readonly name: string;
  readonly clock: Clock;
  readonly store: ObjectStore;
  readonly catalog: Catalog;
  /** Makes uids. */
  readonly newUid: () => string;
  /** Makes the 5 characters after a generateName. */
  readonly nameSuffix: () => string;
}

/** What reads and watches work on. */
export interface ReadableCluster extends Pick<Cluster, 'clock'> {
  readonly store: ReadableStore;
}

/** What strategies may see of a cluster. */
export function strategyContext(cluster: Cluster): StrategyContext {
  return {
    now: () => cluster.clock.now(),
    list: (group, plural) => cluster.store.collection({ group, plural }).values(),
  };
}
