/** Transfers results of discovery into the table that is pushed. */
import type { Destination, Mesh, Workload } from '@meshrelay/api';
import { meshrelayKind } from '@meshrelay/kube';
import type { ChangeSet, Collection, Discovery, ResourceKind } from '@meshrelay/relay-core';
import { kindId, type ObjectTable } from '@meshrelay/relay-protocol';
import { envelopeOf, relayKey } from './envelopes.ts';

type Discovered = Mesh | Workload | Destination;

/**
 * Puts the changes of a commit into the table.
 * @param observed whether the commit consists only of observed deletions. Otherwise the cause of a removal is unknown:
 * the server must find the object missing by comparison and must not receive a deletion
 */
export function pushDiscovered(table: ObjectTable, discovery: Discovery, changes: ChangeSet, observed: boolean): void {
  const put = (kind: ResourceKind, collection: Collection<Discovered>): void => {
    const all = changes.of(collection);
    const compare = !observed && table.isSynced(kindId(kind)) && all.some(({ after }) => after === undefined);
    if (compare) table.markUnsynced(kind);
    for (const { before, after } of all) {
      if (after !== undefined) table.upsert(envelopeOf(kind, after));
      else if (before !== undefined) table.delete(relayKey(kind, before.metadata));
    }
    if (compare) table.markSynced(kind);
  };
  put(meshrelayKind('Mesh'), discovery.meshes);
  put(meshrelayKind('Workload'), discovery.workloads);
  put(meshrelayKind('Destination'), discovery.destinations);
}
