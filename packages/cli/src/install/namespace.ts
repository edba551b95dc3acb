/** The namespace of an installation. */
import type { KubeObject } from '@meshrelay/api';
import { isKubeError, type KubeConnection } from '@meshrelay/kube';
import { NAMESPACE } from '../online/kinds.ts';
import { InputError } from '../problem.ts';

const MANAGED_BY = 'app.kubernetes.io/managed-by';
const MESHCTL = 'meshctl';

/**
 * @returns whether it did not exist before
 * @throws InputError if it is being deleted
 */
export async function ensureNamespace(connection: KubeConnection, name: string): Promise<boolean> {
  const namespaces = connection.objects(NAMESPACE);
  const found = await namespaces.read({ name });
  if (typeof found?.metadata.deletionTimestamp === 'string')
    throw new InputError(
      `namespace ${name} is being deleted; wait until it is gone, or give another one with --namespace`,
    );
  if (found !== undefined) return false;
  const metadata = { name, labels: { [MANAGED_BY]: MESHCTL } };
  try {
    await namespaces.create({ apiVersion: 'v1', kind: 'Namespace', metadata, spec: {} });
    return true;
  } catch (error) {
    if (isKubeError(error, 'RELAY_E_KUBE_EXISTS')) return false;
    throw error;
  }
}

/** Whether meshctl created it. */
export function isByMeshctl({ metadata }: KubeObject): boolean {
  return metadata.labels?.[MANAGED_BY] === MESHCTL;
}
