/** Patches as subjects of work, told from what is wanted and from what is on record. */
import { OBJECT_PATCH, readObjectPatch } from '@meshrelay/relay-core';
import { objectId } from '@meshrelay/relay-protocol';
import { relayKey } from '../../push/envelopes.ts';
import type { DesiredTable } from '../desired-table.ts';
import type { ReconcileKey } from '../object-writer.ts';
import type { PatchedObject } from './patch-watch.ts';

/** The patch of a record. */
export function patchSubject({ namespace, patch }: Pick<PatchedObject, 'namespace' | 'patch'>): ReconcileKey {
  const key = { namespace, name: patch };
  return { id: objectId(relayKey(OBJECT_PATCH, key)), kind: OBJECT_PATCH, key };
}

/** The patches that are wanted, and the objects they are of. */
export function* desiredPatches(desired: DesiredTable): Generator<PatchedObject> {
  for (const { kind, object } of desired.outputs()) {
    const patch = kind === OBJECT_PATCH ? readObjectPatch(object.spec) : undefined;
    if (patch !== undefined) yield { ...patch.object, patch: object.metadata.name };
  }
}
