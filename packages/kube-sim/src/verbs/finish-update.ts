/** The last part of every change of an existing object, for all verbs. */
import { shape } from '../admission/shape.ts';
import { validateObject } from '../admission/validate-object.ts';
import type { WriteOptions } from '../admission/write-options.ts';
import { type Cluster, strategyContext } from '../cluster.ts';
import { conflict, OBJECT_MODIFIED } from '../errors/api-errors.ts';
import type { KubeObject, ManagedFieldsEntry } from '../object.ts';
import { type Manager, readManagers, writeManagers } from '../patch/managers.ts';
import { trackUpdate } from '../patch/track-update.ts';
import { inStorageVersion } from '../resources/catalog.ts';
import { inVersion, markShaped } from '../resources/convert.ts';
import { apiVersionOf, type ServedResource } from '../resources/definition.ts';
import { copyJson, equalJson } from '../schema/json-values.ts';

/** A new state of an object. `draft` is consumed and changed. */
export interface Update {
  readonly resource: ServedResource;
  /** The stored object in the version of the request. */
  readonly live: KubeObject;
  readonly draft: KubeObject;
  /** `''` for the object itself. */
  readonly subresource: '' | 'status' | 'scale' | 'finalize';
  readonly options: WriteOptions;
  /** True if managedFields are already those of a server-side apply. */
  readonly applied?: boolean;
  /** Called with unknown fields before anything is stored. */
  readonly admit?: (faults: readonly string[]) => void;
}

/**
 * Validates and stores a new state; returns the resulting object. An equal state stores nothing. If the last finalizer
 * of a deleted object is removed, the object is removed.
 * @throws StatusError 409 or 422
 */
export function finishUpdate(cluster: Cluster, update: Update): KubeObject {
  const { resource, live, options, subresource } = update;
  const { definition } = resource;
  let draft = update.draft;
  const { resourceVersion } = draft.metadata;
  if (resourceVersion !== undefined && resourceVersion !== '' && resourceVersion !== live.metadata.resourceVersion)
    throw conflict(definition, live.metadata.name, OBJECT_MODIFIED);

  draft = restrict(update, draft);
  restore(draft, live);
  const faults = shape(draft, resource, update.applied);
  update.admit?.(faults);
  if (update.applied !== true) draft = track(cluster, update, draft);
  definition.strategy.prepareUpdate?.(draft, live, strategyContext(cluster));
  countGeneration(draft, live, resource);
  validateObject(cluster, resource, draft, live, subresource);
  if (isSame(draft, live)) return live;
  if (options.dryRun) return draft;
  return store(cluster, resource, draft);
}

/** Each endpoint writes its own part: the status subresource the status, all others everything else. */
function restrict({ subresource, live, resource }: Update, draft: KubeObject): KubeObject {
  if (subresource === 'status') {
    // Shared where nothing changes it: a schema in a CRD has thousands of values, and comparing it costs nothing then.
    const isFixed = resource.definition.strategy.prepareUpdate === undefined;
    const copy = isFixed ? { ...live, metadata: copyJson(live.metadata) } : copyJson(live);
    if (draft['status'] === undefined) delete copy['status'];
    else copy['status'] = draft['status'];
    if (draft.metadata.managedFields !== undefined) copy.metadata.managedFields = draft.metadata.managedFields;
    return copy;
  }
  if (!resource.version.status) return draft;
  if (live['status'] === undefined) delete draft['status'];
  else draft['status'] = copyJson(live['status']);
  return draft;
}

/** Restores server-owned fields. */
function restore(draft: KubeObject, live: KubeObject): void {
  const { metadata } = draft;
  const { uid, creationTimestamp, deletionTimestamp, deletionGracePeriodSeconds, generation, resourceVersion } =
    live.metadata;
  metadata.uid ??= uid as string;
  const own = { creationTimestamp, deletionTimestamp, deletionGracePeriodSeconds, generation, resourceVersion };
  for (const [key, value] of Object.entries(own)) {
    if (value === undefined) delete metadata[key as keyof typeof metadata];
    else (metadata as unknown as Record<string, unknown>)[key] = value;
  }
  for (const key of ['labels', 'annotations', 'finalizers', 'ownerReferences'] as const)
    if (metadata[key] === null) delete metadata[key];
}

/** Everything is desired state except metadata, and status if it is written separately. */
function countGeneration(draft: KubeObject, live: KubeObject, { definition, version }: ServedResource): void {
  if (!definition.strategy.tracksGeneration) return;
  const aside = version.status || !definition.custom ? ['metadata', 'status'] : ['metadata'];
  const keys = new Set([...Object.keys(draft), ...Object.keys(live)].filter((key) => !aside.includes(key)));
  if ([...keys].every((key) => equalJson(draft[key], live[key]))) return;
  draft.metadata.generation = (live.metadata.generation ?? 0) + 1;
}

function track(cluster: Cluster, { resource, live, subresource, options }: Update, draft: KubeObject): KubeObject {
  const tracked = trackUpdate({
    before: live,
    after: draft,
    manager: options.fieldManager,
    schema: resource.version.schema,
    apiVersion: apiVersionOf(resource.definition.group, resource.version.name),
    ...(subresource === '' ? {} : { subresource }),
    now: cluster.clock.now(),
  });
  return subresource === 'scale' ? withoutScaleTimes(tracked) : tracked;
}

/** Owners through scale have no time, as in the real server, so they come first. */
function withoutScaleTimes(object: KubeObject): KubeObject {
  const managers = [...readManagers(object)].map(([key, { time, ...manager }]): [string, Manager] => {
    const timeless = time === undefined || manager.subresource === 'scale';
    return [key, timeless ? manager : { ...manager, time }];
  });
  return writeManagers(object, new Map(managers));
}

/** Equal except for the times of its owners. */
function isSame(draft: KubeObject, live: KubeObject): boolean {
  return equalJson(withoutTimes(draft), withoutTimes(live));
}

function withoutTimes(object: KubeObject): KubeObject {
  const managedFields = object.metadata.managedFields?.map(({ time: _time, ...entry }): ManagedFieldsEntry => entry);
  return { ...object, metadata: { ...object.metadata, ...(managedFields === undefined ? {} : { managedFields }) } };
}

function store(cluster: Cluster, resource: ServedResource, draft: KubeObject): KubeObject {
  const { definition } = resource;
  markShaped(draft, resource);
  const stored = inVersion(draft, inStorageVersion(definition));
  markShaped(stored, inStorageVersion(definition));
  const result = mayBeRemoved(stored, resource)
    ? cluster.store.remove(definition, stored)
    : cluster.store.put(definition, stored);
  markShaped(result, inStorageVersion(definition));
  return inVersion(result, resource);
}

function mayBeRemoved(object: KubeObject, { definition }: ServedResource): boolean {
  const { deletionTimestamp, finalizers } = object.metadata;
  if (deletionTimestamp === undefined || (finalizers?.length ?? 0) > 0) return false;
  return definition.strategy.holdsDeletion?.(object) !== true;
}
