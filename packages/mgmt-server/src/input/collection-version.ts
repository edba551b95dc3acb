/** Current resourceVersion of a kind at an API server. */
import { collectionPath, type KubeConnection, versionNumber } from '@meshrelay/kube';
import type { ResourceKind } from '@meshrelay/relay-core';

/**
 * The resourceVersion of a kind's collection now: at least that of every change, including deletions, that any client
 * can have seen before. A whole number, as etcd's revisions are. Fails if the server does not have the kind.
 * @throws KubeError
 */
export async function collectionVersion(
  connection: KubeConnection,
  kind: ResourceKind,
  namespace: string | undefined,
  signal: AbortSignal,
): Promise<number> {
  const { metadata } = await connection.request<{ readonly metadata?: { readonly resourceVersion?: string } }>({
    what: `list ${kind.plural}`,
    method: 'GET',
    path: collectionPath(kind, namespace),
    query: { limit: 1 },
    signal,
  });
  return versionNumber(metadata?.resourceVersion);
}
