/** Results of discovery on their way into the table that is pushed. */
import type { Destination, Mesh, Workload } from '@meshrelay/api';
import { meshrelayKind } from '@meshrelay/kube';
import type { ChangeSet, Collection, Discovery, ResourceKind } from '@meshrelay/relay-core';
import { kindId, type ObjectTable } from '@meshrelay/relay-protocol';
import { envelopeOf, relayKey } from './envelopes.ts';

type Discovered = Mesh | Workload | Destination;

/**
 * Puts what a commit changed into the table.
 * @param observed whether the commit was of nothing but objects that were seen to be deleted. Otherwise nobody saw why something is there no more: the
 *   server is to find it missing by comparing, not to be told of a deletion
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
