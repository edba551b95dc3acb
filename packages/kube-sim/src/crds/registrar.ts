/** Keeps the catalog in sync with the stored CustomResourceDefinitions. */
import { internalWrite } from '../admission/write-options.ts';
import { timestamp } from '../clock.ts';
import type { Cluster } from '../cluster.ts';
import type { KubeObject } from '../object.ts';
import { inStorageVersion } from '../resources/catalog.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import { copyJson, equalJson } from '../schema/json-values.ts';
import type { StoredEvent } from '../storage/event-history.ts';
import { deleteObject } from '../verbs/delete.ts';
import { finishUpdate } from '../verbs/finish-update.ts';
import { CLEANUP_FINALIZER, CRDS, type CrdCondition, type CustomResourceDefinition } from './crd.ts';
import { customDefinition } from './custom-definition.ts';
import { nameConflict } from './name-conflict.ts';

/**
 * Serves the resources of CRDs as soon as they are stored, writes their conditions, and removes the instances of
 * deleted ones. Disposing the result ends that.
 */
export function startCrdRegistrar(cluster: Cluster): Disposable {
  const collection = cluster.store.collection(CRDS);
  const cleanups = new Map<string, Disposable>();
  const onEvent = (event: StoredEvent): void => {
    const crd = event.object as CustomResourceDefinition;
    if (event.type === 'DELETED') {
      cleanups.get(event.key)?.[Symbol.dispose]();
      cleanups.delete(event.key);
      withdraw(cluster, crd);
      return;
    }
    const definition = customDefinition(crd);
    const conflict = nameConflict(cluster, definition);
    if (conflict === undefined && cluster.catalog.byResource(definition.group, definition.plural)?.custom !== false) {
      cluster.catalog.set(definition);
      cluster.store.collection(definition);
    }
    // Writes are not allowed inside a store event; a microtask later is still before the client's reply.
    queueMicrotask(() => writeConditions(cluster, event.key, conflict));
    if (crd.metadata.deletionTimestamp !== undefined && !cleanups.has(event.key))
      cleanups.set(event.key, startCleanup(cluster, event.key, definition));
  };
  const subscription = collection.subscribe(onEvent);
  return {
    [Symbol.dispose]: () => {
      subscription[Symbol.dispose]();
      for (const cleanup of cleanups.values()) cleanup[Symbol.dispose]();
    },
  };
}

function withdraw(cluster: Cluster, crd: CustomResourceDefinition): void {
  const { group, names } = crd.spec;
  if (cluster.catalog.byResource(group, names.plural)?.custom !== true) return;
  cluster.catalog.remove(group, names.plural);
  cluster.store.drop({ group, plural: names.plural });
}

function writeConditions(cluster: Cluster, key: string, conflict: ReturnType<typeof nameConflict>): void {
  const live = cluster.store.collection(CRDS).get(key) as CustomResourceDefinition | undefined;
  if (live === undefined) return;
  const accepted = conflict === undefined;
  const requested: Omit<CrdCondition, 'lastTransitionTime'>[] = [
    accepted
      ? { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' }
      : { type: 'NamesAccepted', status: 'False', ...conflict },
    accepted
      ? {
          type: 'Established',
          status: 'True',
          reason: 'InitialNamesAccepted',
          message: 'the initial names have been accepted',
        }
      : { type: 'Established', status: 'False', reason: 'NotAccepted', message: 'not all names are accepted' },
  ];
  if (live.metadata.deletionTimestamp !== undefined)
    requested.push({
      type: 'Terminating',
      status: 'True',
      reason: 'InstanceDeletionInProgress',
      message: 'CustomResource deletion is in progress',
    });
  const conditions = requested.map((condition) => settled(cluster, live, condition));
  const storage = live.spec.versions.find((version) => version.storage)?.name ?? '';
  const storedVersions = [...new Set([...(live.status?.storedVersions ?? []), storage])];
  const acceptedNames = accepted ? live.spec.names : (live.status?.acceptedNames ?? { plural: '', kind: '' });
  update(cluster, live, {
    ...live,
    status: { conditions, acceptedNames: copyJson(acceptedNames), storedVersions },
  });
}

/** A condition keeps its time while its status is unchanged. */
function settled(
  cluster: Cluster,
  live: CustomResourceDefinition,
  condition: Omit<CrdCondition, 'lastTransitionTime'>,
): CrdCondition {
  const former = live.status?.conditions?.find((each) => each.type === condition.type);
  const same = former !== undefined && former.status === condition.status;
  return { lastTransitionTime: same ? former.lastTransitionTime : timestamp(cluster.clock.now()), ...condition };
}

function update(cluster: Cluster, live: KubeObject, draft: KubeObject, subresource: '' | 'status' = 'status'): void {
  const definition = cluster.catalog.byResource(CRDS.group, CRDS.plural);
  if (definition === undefined || equalJson(live, draft)) return;
  const options = internalWrite('kube-apiserver');
  finishUpdate(cluster, { resource: inStorageVersion(definition), live, draft, subresource, options });
}

/** Deletes every instance, waits for those with finalizers, then removes the CRD. */
function startCleanup(cluster: Cluster, key: string, definition: ResourceDefinition): Disposable {
  const collection = cluster.store.collection(definition);
  const release = (): void => {
    const live = cluster.store.collection(CRDS).get(key);
    if (collection.size > 0 || live === undefined) return;
    const draft = copyJson(live);
    draft.metadata.finalizers = (draft.metadata.finalizers ?? []).filter((name) => name !== CLEANUP_FINALIZER);
    update(cluster, live, draft, '');
  };
  const subscription = collection.subscribe((event) => {
    if (event.type === 'DELETED' && collection.size === 0) queueMicrotask(release);
  });
  queueMicrotask(() => {
    const resource = inStorageVersion(definition);
    for (const { metadata } of [...collection.values()])
      if (metadata.deletionTimestamp === undefined)
        deleteObject(
          cluster,
          { resource, namespace: metadata.namespace ?? '', name: metadata.name },
          { dryRun: false },
        );
    release();
  });
  return subscription;
}
