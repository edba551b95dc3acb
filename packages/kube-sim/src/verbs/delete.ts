/** DELETE of one object. */
import { timestamp } from '../clock.ts';
import type { Cluster } from '../cluster.ts';
import { forbiddenResource, invalidOptions, notFound, preconditionFailed } from '../errors/api-errors.ts';
import { notSupported } from '../errors/field-error.ts';
import type { KubeObject } from '../object.ts';
import { inStorageVersion } from '../resources/catalog.ts';
import { inVersion, markShaped } from '../resources/convert.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import { copyJson } from '../schema/json-values.ts';
import type { Target } from './identity.ts';
import { findObject } from './read.ts';

/** Handling of the deleted object's dependents. */
export type Propagation = 'Background' | 'Foreground' | 'Orphan';

/** Options of a delete. */
export interface DeleteOptions {
  readonly dryRun: boolean;
  readonly propagation?: Propagation;
  /** The expected incarnation; another one is a 409. */
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

/** Result of a delete. */
export interface Deleted {
  /** The object in its current or last state. */
  readonly object: KubeObject;
  /** False while finalizers hold it. */
  readonly removed: boolean;
}

const FINALIZERS = { Foreground: 'foregroundDeletion', Orphan: 'orphan' } as const;

/**
 * Deletes an object, or marks it for deletion while finalizers hold it.
 * @throws StatusError 403 (a protected namespace), 404, 409 (preconditions) or 422
 */
export function deleteObject(cluster: Cluster, target: Target, options: DeleteOptions): Deleted {
  const { resource, name } = target;
  const { definition } = resource;
  const live = findObject(cluster, target);
  if (live === undefined) throw notFound(definition, name);
  checkPreconditions(definition, live, options);
  if (definition.group === '' && definition.plural === 'namespaces' && PERMANENT.has(name))
    throw forbiddenResource(definition, name, 'this namespace may not be deleted');

  const finalizers = finalizersAfter(definition, live, options.propagation);
  const held = finalizers.length > 0 || definition.strategy.holdsDeletion?.(live) === true;
  if (options.dryRun) return { object: inVersion(live, resource), removed: !held };
  if (!held)
    return { object: inVersion(stored(cluster.store.remove(definition, live), definition), resource), removed: true };
  const sameFinalizers = finalizers.length === (live.metadata.finalizers?.length ?? 0);
  if (live.metadata.deletionTimestamp !== undefined && sameFinalizers)
    return { object: inVersion(live, resource), removed: false };
  const draft = marked(cluster, definition, live, finalizers);
  return { object: inVersion(stored(cluster.store.put(definition, draft), definition), resource), removed: false };
}

const PERMANENT = new Set(['default', 'kube-system', 'kube-public']);

function stored(object: KubeObject, definition: ResourceDefinition): KubeObject {
  markShaped(object, inStorageVersion(definition));
  return object;
}

function checkPreconditions(definition: ResourceDefinition, live: KubeObject, { preconditions }: DeleteOptions): void {
  const { name, uid, resourceVersion } = live.metadata;
  const requestedUid = preconditions?.uid;
  if (requestedUid !== undefined && requestedUid !== uid) {
    const why = `the UID in the precondition (${requestedUid}) does not match the UID in record (${uid}). The object might have been deleted and then recreated`;
    throw preconditionFailed(definition, definition, name, why);
  }
  const requestedVersion = preconditions?.resourceVersion;
  if (requestedVersion !== undefined && requestedVersion !== resourceVersion) {
    const why = `the ResourceVersion in the precondition (${requestedVersion}) does not match the ResourceVersion in record (${resourceVersion}). The object might have been modified`;
    throw preconditionFailed(definition, definition, name, why);
  }
}

/** The requested propagation sets a finalizer that the garbage collector removes when it is done. */
function finalizersAfter(
  { strategy }: ResourceDefinition,
  live: KubeObject,
  propagation: Propagation | undefined,
): string[] {
  const fresh = live.metadata.deletionTimestamp === undefined ? (strategy.finalizersOnDelete ?? []) : [];
  const given = [...new Set([...(live.metadata.finalizers ?? []), ...fresh])];
  if (propagation === undefined) return given;
  const requested = propagation === 'Background' ? undefined : FINALIZERS[propagation];
  const others = given.filter((name) => name !== FINALIZERS.Foreground && name !== FINALIZERS.Orphan);
  return requested === undefined ? others : [...others, requested];
}

function marked(cluster: Cluster, definition: ResourceDefinition, live: KubeObject, finalizers: string[]): KubeObject {
  const draft = copyJson(live);
  const { metadata } = draft;
  if (metadata.deletionTimestamp === undefined) {
    metadata.deletionTimestamp = timestamp(cluster.clock.now());
    metadata.deletionGracePeriodSeconds = 0;
    if (definition.strategy.tracksGeneration) metadata.generation = (metadata.generation ?? 0) + 1;
    definition.strategy.markDeleted?.(draft);
  }
  if (finalizers.length > 0) metadata.finalizers = finalizers;
  else delete metadata.finalizers;
  return draft;
}

/**
 * Reads a propagation policy.
 * @throws StatusError 422 when it is invalid
 */
export function parsePropagation(text: string | undefined): Propagation | undefined {
  if (text === undefined || text === '') return undefined;
  if (text === 'Background' || text === 'Foreground' || text === 'Orphan') return text;
  const error = notSupported('propagationPolicy', text, ['Background', 'Foreground', 'Orphan']);
  throw invalidOptions('DeleteOptions', [error]);
}
