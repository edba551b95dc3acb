/** Results of discovery on their way into the table that is pushed. */
import type { Destination, Mesh, Workload } from '@meshrelay/api';
import { ourKind } from '@meshrelay/kube';
import type { ChangeSet, Collection, Discovery, ResourceKind } from '@meshrelay/relay-core';
import type { ObjectTable } from '@meshrelay/relay-protocol';
import { envelopeOf, relayKey } from './envelopes.ts';

type Discovered = Mesh | Workload | Destination;

/** Puts what a commit changed into the table. */
export function pushDiscovered(table: ObjectTable, discovery: Discovery, changes: ChangeSet): void {
  const put = (kind: ResourceKind, collection: Collection<Discovered>): void => {
    for (const { before, after } of changes.of(collection)) {
      if (after !== undefined) table.upsert(envelopeOf(kind, after));
      else if (before !== undefined) table.delete(relayKey(kind, before.metadata));
    }
  };
  put(ourKind('Mesh'), discovery.meshes);
  put(ourKind('Workload'), discovery.workloads);
  put(ourKind('Destination'), discovery.destinations);
}
