/** Results of discovery on their way into the table that is pushed. */
import type { Destination, Mesh, Workload } from '@meshrelay/api';
import type { ChangeSet, Collection, Discovery, ResourceKind } from '@meshrelay/relay-core';
import type { ObjectTable } from '@meshrelay/relay-protocol';
import { resourceOf } from '../input/kinds.ts';
import { envelopeOf, relayKey } from './envelopes.ts';

type Discovered = Mesh | Workload | Destination;

/** Puts what a commit changed into the table. */
export function pushDiscovered(table: ObjectTable, discovery: Discovery, changes: ChangeSet): void {
  const put = (kind: ResourceKind, collection: Collection<Discovered>): void => {
    for (const { before, after } of changes.of(collection)) {
      const gone = before === undefined ? undefined : named(before);
      const now = after === undefined ? undefined : named(after);
      if (now !== undefined) table.upsert(envelopeOf(kind, now));
      else if (gone !== undefined) table.delete(relayKey(kind, gone.metadata));
    }
  };
  put(resourceOf('Mesh'), discovery.meshes);
  put(resourceOf('Workload'), discovery.workloads);
  put(resourceOf('Destination'), discovery.destinations);
}

/** Controllers of two kinds may share a name, and what is pushed needs a name that an object can have. */
function named(object: Discovered): Discovered {
  if (object.kind !== 'Workload') return object;
  const { kind, name } = object.spec.kubernetes.controller;
  return { ...object, metadata: { ...object.metadata, name: `${name}-${kind.toLowerCase()}` } };
}
