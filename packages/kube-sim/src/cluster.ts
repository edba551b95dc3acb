/** The state and environment of all requests. */
import type { Clock } from './clock.ts';
import type { Catalog } from './resources/catalog.ts';
import type { StrategyContext } from './resources/definition.ts';
import type { ObjectStore } from './storage/object-store.ts';
import type { ReadableStore } from './storage/readable-store.ts';

/** One simulated cluster. */
export interface Cluster {
  /** Its name in logs and in the kubeconfig. */
  readonly name: string;
  readonly clock: Clock;
  readonly store: ObjectStore;
  readonly catalog: Catalog;
  /** Generates uids. */
  readonly newUid: () => string;
  /** Generates the 5 characters after a generateName. */
  readonly nameSuffix: () => string;
}

/** The store for reads and watches. */
export interface ReadableCluster extends Pick<Cluster, 'clock'> {
  readonly store: ReadableStore;
}

/** The part of a cluster that strategies see. */
export function strategyContext(cluster: Cluster): StrategyContext {
  return {
    now: () => cluster.clock.now(),
    list: (group, plural) => cluster.store.collection({ group, plural }).values(),
  };
}
