/** Stores the initial objects of a cluster. */
import { NAMESPACES } from '../admission/namespace-lifecycle.ts';
import { internalWrite } from '../admission/write-options.ts';
import type { Cluster } from '../cluster.ts';
import type { KubeObject } from '../object.ts';
import { copyJson } from '../schema/json-values.ts';
import { servedAs } from '../storage/cluster-store.ts';
import { createObject } from '../verbs/create.ts';
import { findObject } from '../verbs/read.ts';
import { replaceObject } from '../verbs/replace.ts';
import type { Manifest } from './load-manifests.ts';

const OPTIONS = internalWrite('kube-sim');

/**
 * Stores objects: CRDs first, then namespaces, then the rest in order. Undeclared namespaces of objects are created; a
 * status in a manifest is kept.
 * @throws Error naming the manifest that could not be stored
 */
export async function storeManifests(cluster: Cluster, manifests: readonly Manifest[]): Promise<void> {
  const ordered = manifests.toSorted((a, b) => rank(a.object) - rank(b.object));
  for (const { object, origin } of ordered) {
    try {
      storeOne(cluster, object);
    } catch (error) {
      const { kind, metadata } = object;
      throw new Error(`${origin}: ${kind} ${metadata?.name}: ${(error as Error).message}`, { cause: error });
    }
    // CRDs are served, and their conditions written, in microtasks.
    if (rank(object) === 0) await Promise.resolve();
  }
}

function rank({ kind }: KubeObject): number {
  return kind === 'CustomResourceDefinition' ? 0 : kind === 'Namespace' ? 1 : 2;
}

function storeOne(cluster: Cluster, object: KubeObject): void {
  const resource = servedAs(cluster, object);
  const { definition, version } = resource;
  const body = copyJson(object);
  delete body.metadata.resourceVersion;
  const namespace = definition.namespaced ? (body.metadata.namespace ?? 'default') : '';
  if (definition.namespaced) ensureNamespace(cluster, namespace);
  const target = { resource, namespace, name: body.metadata.name };
  const { status } = body;
  const exists = findObject(cluster, target) !== undefined;
  if (exists) replace(cluster, target, body, '');
  else createObject(cluster, { ...target, body, options: OPTIONS });
  const keepsStatus = version.status && status !== undefined && definition.group !== 'apiextensions.k8s.io';
  if (keepsStatus) replace(cluster, target, { ...copyJson(object), status }, 'status');
}

type Named = Parameters<typeof findObject>[1];

function replace(cluster: Cluster, target: Named, object: KubeObject, subresource: '' | 'status'): void {
  const live = findObject(cluster, target);
  const { uid: _uid, ...metadata } = object.metadata;
  const body = { ...object, metadata: { ...metadata, resourceVersion: live?.metadata.resourceVersion ?? '' } };
  replaceObject(cluster, { ...target, body, subresource, options: OPTIONS });
}

function ensureNamespace(cluster: Cluster, name: string): void {
  if (cluster.store.collection(NAMESPACES).get(name) !== undefined) return;
  const body: KubeObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
  createObject(cluster, { resource: servedAs(cluster, body), namespace: '', name, body, options: OPTIONS });
}
