/** Direct and single-cluster mode: the server does what an agent would, on the same stages. */
import type { Stages } from '../stages.ts';
import { DirectClusters, type DirectClustersOptions } from './direct-clusters.ts';
import { declareOwnCluster } from './own-cluster.ts';

export interface StartDirectOptions extends DirectClustersOptions {
  readonly stages: Pick<Stages, 'fleet' | 'management'>;
}

/** Takes part for the clusters that are registered so, as long as they are. */
export function startDirect({ stages, ...options }: StartDirectOptions): AsyncDisposable {
  const { fleet, management } = stages;
  const direct = new DirectClusters(options);
  const stop = new AbortController();
  // Before all registrations are known, one that is not there yet would seem to have ended.
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
