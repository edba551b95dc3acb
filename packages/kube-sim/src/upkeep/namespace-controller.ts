/** Deletes the content of namespaces that are being deleted, then removes them. */

import { NAMESPACES } from '../admission/namespace-lifecycle.ts';
import { internalWrite } from '../admission/write-options.ts';
import type { Cluster } from '../cluster.ts';
import { inStorageVersion } from '../resources/catalog.ts';
import { resourceKey } from '../resources/definition.ts';
import { copyJson } from '../schema/json-values.ts';
import { deleteObject } from '../verbs/delete.ts';
import { finishUpdate } from '../verbs/finish-update.ts';

/** Starts the controller; disposing the result stops it. */
export function startNamespaceController(cluster: Cluster): Disposable {
  const waiting = new Map<string, DisposableStack>();
  const settle = (name: string): void => {
    waiting.get(name)?.dispose();
    waiting.delete(name);
    if (cluster.store.collection(NAMESPACES).get(name)?.metadata.deletionTimestamp === undefined) return;
    const left = empty(cluster, name);
    if (left.length === 0) {
      finalize(cluster, name);
      return;
    }
    // Finalizers hold some objects: check again when one of those resources changes.
    const stack = new DisposableStack();
    for (const resource of left)
      stack.use(cluster.store.collection(resource).subscribe(() => queueMicrotask(() => settle(name))));
    waiting.set(name, stack);
  };
  const subscription = cluster.store.collection(NAMESPACES).subscribe(({ type, object }) => {
    const { name, deletionTimestamp } = object.metadata;
    if (type === 'MODIFIED' && deletionTimestamp !== undefined && !waiting.has(name))
      queueMicrotask(() => settle(name));
  });
  return {
    [Symbol.dispose]: () => {
      subscription[Symbol.dispose]();
      for (const stack of waiting.values()) stack.dispose();
    },
  };
}

/** Deletes everything in a namespace; returns the resources with remaining objects. */
function empty(cluster: Cluster, namespace: string): { readonly group: string; readonly plural: string }[] {
  const left = new Map<string, { readonly group: string; readonly plural: string }>();
  for (const definition of cluster.catalog.all().filter((each) => each.namespaced)) {
    const resource = inStorageVersion(definition);
    for (const [, { metadata }] of cluster.store.collection(definition).snapshot(namespace)) {
      const target = { resource, namespace, name: metadata.name };
      if (metadata.deletionTimestamp === undefined)
        deleteObject(cluster, target, { dryRun: false, propagation: 'Background' });
    }
    if (cluster.store.collection(definition).snapshot(namespace).length > 0)
      left.set(resourceKey(definition), definition);
  }
  return [...left.values()];
}

function finalize(cluster: Cluster, name: string): void {
  const definition = cluster.catalog.byResource('', 'namespaces');
  const live = cluster.store.collection(NAMESPACES).get(name);
  if (definition === undefined || live === undefined) return;
  const draft = copyJson(live);
  draft['spec'] = { ...draft['spec'], finalizers: [] };
  const options = internalWrite('kube-controller-manager');
  finishUpdate(cluster, { resource: inStorageVersion(definition), live, draft, subresource: 'finalize', options });
}
