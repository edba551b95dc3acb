/** Which clusters a question is about. */
import { ParameterError } from '@meshrelay/access-log-sink';
import { key } from '@meshrelay/relay-core';
import type { Fleet } from '../store/fleet.ts';

/** Those that are named, or all that are registered. @throws ParameterError for one that is not */
export function requestedClusters(
  { fleetState }: Pick<Fleet, 'fleetState'>,
  named: readonly string[],
): readonly string[] {
  const unknown = named.find((cluster) => !fleetState.clusters.has(key(cluster)));
  if (unknown !== undefined)
    throw new ParameterError(`there is no cluster ${unknown}; meshctl cluster list shows those that are registered`);
  if (named.length > 0) return [...new Set(named)];
  return [...fleetState.clusters.entries()].map(([, { name }]) => name).sort();
}
