/** Rechecks absent kinds as soon as CustomResourceDefinitions change. */
import type { KubeObject } from '@meshrelay/api';
import type { ResourceKind } from '@meshrelay/relay-core';
import type { KubeConnection } from '../connect/kube-connection.ts';
import { type KindWatch, type WatchOptions, watchKind } from './kind-watch.ts';

const crds: ResourceKind = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  namespaced: false,
};

/**
 * Watches CRDs and rechecks those of `watches` that are not up to date. Without it, or without the permission, absent
 * kinds are found by polling, within 30 seconds.
 */
export function recheckOnCrds(
  connection: KubeConnection,
  watches: () => Iterable<KindWatch>,
  options: Pick<WatchOptions, 'observer' | 'clock' | 'random'> & {
    /** Called after each tick in which CRDs were created, deleted or changed. */
    readonly onChange?: () => void;
  } = {},
): KindWatch {
  const recheck = (): void => {
    for (const watch of watches()) if (watch.state.phase !== 'watching') watch.recheck();
    options.onChange?.();
  };
  const sink = {
    transact(body: () => void): void {
      body();
      recheck();
    },
    replaceAll: () => {},
    upsert: () => {},
    remove: () => {},
    synced: () => {},
  };
  return watchKind(connection, crds, sink, { ...options, transform: nameOnly });
}

/** Schemas are large, and only the fact of a change matters. */
function nameOnly({ apiVersion, kind, metadata: { name } }: KubeObject): KubeObject {
  return { apiVersion, kind, metadata: { name }, spec: undefined };
}
