/** Objects and kinds for the tests of this folder. */
import type { ResourceKind } from '@meshrelay/relay-core';
import { objectId } from '@meshrelay/relay-protocol';
import { testMesh } from '@meshrelay/test-mesh';
import type { ReconcileKey } from '../../src/apply/object-writer.ts';
import { PatchPermissions } from '../../src/apply/patch/patch-permissions.ts';
import { WrittenKinds } from '../../src/apply/written-kinds.ts';
import { relayKey } from '../../src/push/envelopes.ts';

const PLUGINS = [{ plugin: testMesh, settings: undefined }];
export const KINDS: WrittenKinds = new WrittenKinds(PLUGINS);
export const RIGHTS: PatchPermissions = new PatchPermissions(PLUGINS);

export function written(kind: string): ResourceKind {
  const found = KINDS.all.find((one) => one.kind === kind);
  if (found === undefined) throw new Error(`the plugin does not write ${kind}`);
  return found;
}

export function subject(name: string, kind = 'VirtualService'): ReconcileKey {
  const of = written(kind);
  const key = { namespace: 'shop', name };
  return { id: objectId(relayKey(of, key)), kind: of, key };
}
