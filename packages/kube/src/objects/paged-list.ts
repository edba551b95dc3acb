/** Complete lists, fetched in pages and never returned in part. */
import { apiVersionOf, type KubeObject } from '@meshrelay/api';
import type { ResourceKind } from '@meshrelay/relay-core';
import type { KubeRequester } from '../connect/kube-request.ts';
import { isKubeError } from '../errors.ts';
import { collectionPath } from './resource-path.ts';

/** Selection and conversion of the listed objects. */
export interface PagedListOptions<T> {
  /** All namespaces by default. */
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  /** Objects per page; 500 by default. */
  readonly pageSize?: number | undefined;
  /** Converts each object on arrival, so that only the result stays in memory; undefined drops it. */
  readonly take: (object: KubeObject) => T | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A consistent, complete list. */
export interface CompleteList<T> {
  /** The version from which a watch continues. */
  readonly resourceVersion: string;
  readonly items: T[];
}

interface Page {
  readonly metadata?: { readonly resourceVersion?: string; readonly continue?: string };
  readonly items?: readonly KubeObject[] | null;
}

/**
 * Lists all pages of one consistent state. If the server drops the state half-way (410), the list starts over, once.
 * @throws KubeError as `KubeRequester.request`
 */
export async function pagedList<T>(
  connection: KubeRequester,
  kind: ResourceKind,
  options: PagedListOptions<T>,
): Promise<CompleteList<T>> {
  try {
    return await listOnce(connection, kind, options);
  } catch (error) {
    if (!isKubeError(error, 'RELAY_E_KUBE_EXPIRED')) throw error;
    return await listOnce(connection, kind, options);
  }
}

async function listOnce<T>(
  connection: KubeRequester,
  kind: ResourceKind,
  { namespace, labelSelector, fieldSelector, pageSize = 500, take, signal }: PagedListOptions<T>,
): Promise<CompleteList<T>> {
  const items: T[] = [];
  let resourceVersion: string | undefined;
  let next: string | undefined;
  const apiVersion = apiVersionOf(kind);
  do {
    const page: Page = await connection.request<Page>({
      what: `list ${kind.plural}`,
      method: 'GET',
      path: collectionPath(kind, namespace),
      query: { limit: pageSize, continue: next, labelSelector, fieldSelector },
      signal,
    });
    // Items of typed lists omit their kind.
    for (const item of page.items ?? []) {
      const taken = take({ ...item, apiVersion, kind: kind.kind });
      if (taken !== undefined) items.push(taken);
    }
    resourceVersion ??= page.metadata?.resourceVersion ?? '';
    next = page.metadata?.continue || undefined;
  } while (next !== undefined);
  return { resourceVersion, items };
}
