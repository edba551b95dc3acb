/** Whether an API server serves a kind. */
import type { ResourceKind } from '@meshrelay/relay-core';
import type { KubeConnection } from '../connect/kube-connection.ts';
import { isKubeError } from '../errors.ts';
import { groupPath } from './resource-path.ts';

interface ResourceList {
  readonly resources?: readonly { readonly name: string }[];
}

/**
 * Reads the discovery document of the kind's group and version. False means that the server answered without the kind;
 * no answer is an error.
 * @throws KubeError as `KubeConnection.request`, but never RELAY_E_KUBE_NOT_FOUND
 */
export async function servesKind(
  connection: KubeConnection,
  kind: ResourceKind,
  signal?: AbortSignal,
): Promise<boolean> {
  try {
    const { resources } = await connection.request<ResourceList>({
      what: `discover ${kind.group === '' ? 'core' : kind.group}/${kind.version}`,
      method: 'GET',
      path: groupPath(kind),
      signal,
    });
    return resources?.some(({ name }) => name === kind.plural) ?? false;
  } catch (error) {
    if (isKubeError(error, 'RELAY_E_KUBE_NOT_FOUND')) return false;
    throw error;
  }
}
