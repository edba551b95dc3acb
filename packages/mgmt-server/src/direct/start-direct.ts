/** Direct and single-cluster mode: the server does the work of an agent, on the same stages. */
import type { Stages } from '../stages.ts';
import { DirectClusters, type DirectClustersOptions } from './direct-clusters.ts';
import { declareOwnCluster } from './own-cluster.ts';

export interface StartDirectOptions extends DirectClustersOptions {
  readonly stages: Pick<Stages, 'fleet' | 'management'>;
}

/** Acts as the agent of directly registered clusters, as long as they are registered. */
export function startDirect({ stages, ...options }: StartDirectOptions): AsyncDisposable {
  const { fleet, management } = stages;
  const direct = new DirectClusters(options);
  const stop = new AbortController();
  // Before all registrations are synced, a missing one would seem to have ended.
  const follow = (): void => {
    if (stop.signal.aborted || !management.registryKnown) return;
    direct.follow([...fleet.fleetState.clusters.entries()].map(([, facts]) => facts));
  };
  const unlisten = fleet.listen((changes) => {
    if (changes.of(fleet.fleetState.clusters).length > 0) follow();
  });
  void management.registry.then(follow);
  const { ownCluster: name } = options;
  const declared = name === undefined ? undefined : declareOwnCluster({ ...options, name, signal: stop.signal });
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      unlisten();
      await declared;
      await direct[Symbol.asyncDispose]();
    },
  };
}
