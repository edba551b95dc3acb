/** Reconcile keys of patches, from desired outputs and from ledger records. */
import { OBJECT_PATCH, readObjectPatch } from '@meshrelay/relay-core';
import { objectId } from '@meshrelay/relay-protocol';
import { relayKey } from '../../push/envelopes.ts';
import type { DesiredTable } from '../desired-table.ts';
import type { ReconcileKey } from '../object-writer.ts';
import type { PatchedObject } from './patch-watch.ts';

/** Reconcile key of a recorded patch. */
export function patchSubject({ namespace, patch }: Pick<PatchedObject, 'namespace' | 'patch'>): ReconcileKey {
  const key = { namespace, name: patch };
  return { id: objectId(relayKey(OBJECT_PATCH, key)), kind: OBJECT_PATCH, key };
}

/** Desired patches and their objects. */
export function* desiredPatches(desired: DesiredTable): Generator<PatchedObject> {
  for (const { kind, object } of desired.outputs()) {
    const patch = kind === OBJECT_PATCH ? readObjectPatch(object.spec) : undefined;
    if (patch !== undefined) yield { ...patch.object, patch: object.metadata.name };
  }
}
