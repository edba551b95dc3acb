/** How objects of unknown shape enter the fleet state: decoded, as in the server. */
import { decodeObject, isMeshrelayGroup, isOutputGroup, type KubeObject } from '@meshrelay/api';
import { groupOf } from '@meshrelay/plugin';
import type { Transaction } from '../graph/collection.ts';
import { setObject, setUnreadable } from '../store/feed.ts';
import type { FleetState } from '../store/fleet-state.ts';

/**
 * Ingests an object of a cluster. A policy that does not fit its schema is rejected by its status.
 * @param cluster '' for the management cluster
 * @throws Error for an object of another Meshrelay kind that does not fit its schema, or without kind and name
 */
export function setDecoded(transaction: Transaction, fleetState: FleetState, cluster: string, raw: KubeObject): void {
  const { apiVersion, kind, metadata } = raw as Partial<KubeObject>;
  const group = typeof apiVersion === 'string' ? groupOf(apiVersion) : undefined;
  if (group !== undefined && typeof metadata?.name === 'string' && (!isMeshrelayGroup(group) || isOutputGroup(group))) {
    setObject(transaction, fleetState, cluster, raw);
    return;
  }
  const { object, reports, problems } = decodeObject(raw);
  if (object !== undefined) {
    setObject(transaction, fleetState, cluster, object, reports);
    return;
  }
  const isNamed = typeof kind === 'string' && typeof metadata?.name === 'string';
  if (isNamed && setUnreadable(transaction, fleetState, cluster, raw, problems)) return;
  const where = cluster === '' ? 'the management cluster' : `cluster ${cluster}`;
  const what = [kind ?? 'an object', metadata?.namespace, metadata?.name]
    .filter((part) => part !== undefined)
    .join(' ');
  throw new Error(`${what} of ${where}: ${problems.map(({ message }) => message).join('; ')}`);
}
