/** Deletes CustomResourceDefinitions, with all their objects. */
import type { KubeConnection } from '@meshrelay/kube';
import { CRD } from '../online/kinds.ts';
import { waitUntil } from '../online/wait-until.ts';

/** @throws InputError if objects remain after the timeout */
export async function deleteCrds(connection: KubeConnection, names: readonly string[], timeout: number): Promise<void> {
  const crds = connection.objects(CRD);
  for (const name of names) await crds.delete({ name });
  if (names.length === 0) return;
  await waitUntil(
    { timeout },
    async () => (await crds.list()).every(({ metadata }) => !names.includes(metadata.name)),
    () => 'the CRDs are gone; kubectl get crds shows which have finalizers',
  );
}
