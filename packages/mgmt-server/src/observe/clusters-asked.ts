/** Which clusters a question is about. */
import { key } from '@meshrelay/relay-core';
import type { Fleet } from '../store/fleet.ts';
import { AskedError } from './asked.ts';

/** Those that are named, or all that are registered. @throws AskedError for one that is not */
export function clustersAsked({ world }: Pick<Fleet, 'world'>, named: readonly string[]): readonly string[] {
  const unknown = named.find((cluster) => !world.clusters.has(key(cluster)));
  if (unknown !== undefined)
    throw new AskedError(`there is no cluster ${unknown}; meshctl cluster list shows those that are registered`);
  if (named.length > 0) return [...new Set(named)];
  return [...world.clusters.entries()].map(([, { name }]) => name).sort();
}
