/** PATCH by server-side apply. */
import type { WriteOptions } from '../admission/write-options.ts';
import type { Cluster } from '../cluster.ts';
import {
  badRequest,
  conflict,
  invalidObject,
  invalidOptions,
  notFound,
  OBJECT_MODIFIED,
} from '../errors/api-errors.ts';
import { invalid, required } from '../errors/field-error.ts';
import type { KubeObject } from '../object.ts';
import { serverSideApply } from '../patch/server-side-apply.ts';
import { inVersion } from '../resources/convert.ts';
import { apiVersionOf } from '../resources/definition.ts';
import { copyJson, isObject } from '../schema/json-values.ts';
import { createObject } from './create.ts';
import { finishUpdate, type Update } from './finish-update.ts';
import { checkIdentity, type Target } from './identity.ts';
import { findObject } from './read.ts';
import type { Replaced } from './replace.ts';

/** A server-side apply. `body` is consumed. */
export interface ApplyObjectRequest extends Target {
  readonly body: KubeObject;
  readonly subresource: Update['subresource'];
  readonly force: boolean;
  readonly options: WriteOptions;
}

/**
 * Applies an object, and creates it if it does not exist.
 * @throws StatusError 400, 404 (subresource of a missing object), 409 (conflicts), 422 or 500
 */
export function applyObject(cluster: Cluster, request: ApplyObjectRequest): Replaced {
  const { resource, body, options, subresource, name } = request;
  const { definition, version } = resource;
  if (options.fieldManager === '')
    throw invalidOptions('PatchOptions', [required('fieldManager', 'is required for apply patch')]);
  checkBody(request);
  const stored = findObject(cluster, request);
  if (stored === undefined && subresource !== '') throw notFound(definition, name);
  checkIncarnation(request, stored);
  const live = stored === undefined ? undefined : inVersion(stored, resource);
  const result = serverSideApply({
    ...(live === undefined ? {} : { live }),
    applied: body,
    manager: options.fieldManager,
    force: request.force,
    schema: version.schema,
    custom: definition.custom,
    apiVersion: apiVersionOf(definition.group, version.name),
    ...(subresource === '' ? {} : { subresource }),
    ...(version.status && subresource === '' ? { ignored: [['status']] } : {}),
    now: cluster.clock.now(),
  });
  if (live === undefined) {
    const object = createObject(cluster, { ...request, body: copyJson(result.object), applied: true });
    return { object, created: true };
  }
  if (!result.changed) return { object: live, created: false };
  const draft = copyJson(result.object);
  const object = finishUpdate(cluster, { resource, live, draft, subresource, options, applied: true });
  return { object, created: false };
}

function checkBody(request: ApplyObjectRequest): void {
  const { body } = request;
  if (!isObject(body as never)) throw badRequest('an apply patch must be an object');
  if (typeof body.kind !== 'string' || typeof body.apiVersion !== 'string') {
    const [group = '', version = ''] = (body.apiVersion ?? '').includes('/')
      ? body.apiVersion.split('/')
      : ['', body.apiVersion];
    throw badRequest(`invalid object type: ${group}/${version}, Kind=${body.kind ?? ''}`);
  }
  checkIdentity(body, request);
}

function checkIncarnation({ resource, body, name }: ApplyObjectRequest, stored: KubeObject | undefined): void {
  const { definition } = resource;
  const { uid, resourceVersion } = body.metadata ?? {};
  const other = uid !== undefined && uid !== '' && uid !== stored?.metadata.uid;
  if (other && stored === undefined)
    throw conflict(
      definition,
      name,
      `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`,
    );
  if (other) {
    const error = invalid('metadata.uid', uid, 'field is immutable');
    throw invalidObject(definition, name, [error, error]);
  }
  const stale =
    stored !== undefined &&
    resourceVersion !== undefined &&
    resourceVersion !== '' &&
    resourceVersion !== stored.metadata.resourceVersion;
  if (stale) throw conflict(definition, name, OBJECT_MODIFIED);
}
