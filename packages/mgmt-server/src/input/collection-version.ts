/** How far an API server has come with a kind. */
import { collectionPath, type KubeConnection } from '@meshrelay/kube';
import type { ResourceKind } from '@meshrelay/relay-core';

/**
 * The resourceVersion of a kind's collection as of now: at least that of every change, deletions too, that anyone can have seen before.
 * A whole number; etcd's revisions are. Fails where the server does not have the kind.
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

/** A resourceVersion as a number; 0 where there is none. Kubernetes lets clients compare those of one kind. */
export function versionNumber(resourceVersion: string | undefined): number {
  const number = Number(resourceVersion ?? 0);
  return Number.isSafeInteger(number) ? number : 0;
}
