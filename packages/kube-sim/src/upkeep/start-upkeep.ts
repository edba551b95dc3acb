/** The controllers that clean up after deletions in every cluster. */
import type { Cluster } from '../cluster.ts';
import { GarbageCollector } from './garbage-collector.ts';
import { startNamespaceController } from './namespace-controller.ts';
import { createSystemObjects } from './system-objects.ts';

/** Starts namespace deletion and garbage collection and creates the system objects; disposing stops them. */
export function startUpkeep(cluster: Cluster): Disposable {
  const stack = new DisposableStack();
  const collector = stack.use(new GarbageCollector(cluster));
  const follow = (): void => {
    for (const definition of cluster.catalog.all()) collector.follow(definition);
  };
  follow();
  stack.use(cluster.catalog.onChange(follow));
  stack.use(startNamespaceController(cluster));
  createSystemObjects(cluster);
  return stack;
}
