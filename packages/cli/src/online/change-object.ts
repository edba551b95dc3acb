/** Creates and changes objects of the management cluster that other clients write, too. */
import type { KubeObject } from '@meshrelay/api';
import { isKubeError, type KubeConnection, meshrelayKind, type ObjectKey } from '@meshrelay/kube';
import { requestNotes } from './requester.ts';

/** Number of conflicts before the change fails. */
const ATTEMPTS = 5;

/**
 * Replaces the object by the result of `change`, with notes about the requester; undefined leaves it unchanged.
 * @returns the object as stored now; undefined if it does not exist
 * @throws KubeError
 */
export async function changeObject(
  management: KubeConnection,
  kind: Parameters<typeof meshrelayKind>[0],
  where: ObjectKey,
  change: (object: KubeObject) => KubeObject | undefined,
): Promise<KubeObject | undefined> {
  const objects = management.objects(meshrelayKind(kind));
  const notes = await requestNotes(management);
  for (let attempt = 1; ; attempt++) {
    const stored = await objects.read(where);
    const changed = stored === undefined ? undefined : change(stored);
    if (changed === undefined) return stored;
    const annotations = { ...changed.metadata.annotations, ...notes };
    try {
      return await objects.replace({ ...changed, metadata: { ...changed.metadata, annotations } });
    } catch (error) {
      if (!isKubeError(error, 'RELAY_E_KUBE_CONFLICT') || attempt === ATTEMPTS) throw error;
    }
  }
}

/**
 * Creates an object, with notes about the requester.
 * @throws KubeError RELAY_E_KUBE_EXISTS if there is one
 */
export async function createObject(
  management: KubeConnection,
  kind: Parameters<typeof meshrelayKind>[0],
  object: KubeObject,
): Promise<void> {
  const annotations = { ...object.metadata.annotations, ...(await requestNotes(management)) };
  await management.objects(meshrelayKind(kind)).create({ ...object, metadata: { ...object.metadata, annotations } });
}
