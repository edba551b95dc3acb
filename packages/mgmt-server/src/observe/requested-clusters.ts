/** The clusters of a request. */
import { ParameterError } from '@meshrelay/access-log-sink';
import { key } from '@meshrelay/relay-core';
import type { Fleet } from '../store/fleet.ts';

/** The named clusters, or all registered ones. @throws ParameterError for one that is not registered */
export function requestedClusters(
  { fleetState }: Pick<Fleet, 'fleetState'>,
  named: readonly string[],
): readonly string[] {
  const unknown = named.find((cluster) => !fleetState.clusters.has(key(cluster)));
  if (unknown !== undefined)
    throw new ParameterError(`cluster ${unknown} does not exist; meshctl cluster list shows the registered clusters`);
  if (named.length > 0) return [...new Set(named)];
  return [...fleetState.clusters.entries()].map(([, { name }]) => name).sort();
}
