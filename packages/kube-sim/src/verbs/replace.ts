/** PUT: replaces an object. */

import { fillNullItems } from '../admission/null-items.ts';
import { reportFaults, undecodable } from '../admission/shape.ts';
import { wrongType } from '../admission/typed-values.ts';
import type { WriteOptions } from '../admission/write-options.ts';
import type { Cluster } from '../cluster.ts';
import { conflict, invalidObject, notFound } from '../errors/api-errors.ts';
import { invalid } from '../errors/field-error.ts';
import type { Json, KubeObject } from '../object.ts';
import { inVersion } from '../resources/convert.ts';
import { createObject } from './create.ts';
import { finishUpdate, type Update } from './finish-update.ts';
import { identify, type Target } from './identity.ts';
import { findObject } from './read.ts';

/** An object to be replaced. `body` is consumed and changed. */
export interface ReplaceRequest extends Target {
  readonly body: KubeObject;
  /** Faults found while reading the body (duplicate fields). */
  readonly faults?: readonly string[];
  readonly subresource: Update['subresource'];
  readonly options: WriteOptions;
}

/** Result of a replace. */
export interface Replaced {
  readonly object: KubeObject;
  /** True if the object did not exist before. */
  readonly created: boolean;
}

/**
 * Replaces an object.
 * @throws StatusError 400, 404, 409 or 422
 */
export function replaceObject(cluster: Cluster, request: ReplaceRequest): Replaced {
  const { resource, body, options, subresource } = request;
  const { definition } = resource;
  identify(body, request);
  const stored = findObject(cluster, request);
  if (stored === undefined) {
    if (definition.strategy.createsOnUpdate !== true || subresource !== '') throw notFound(definition, request.name);
    return { object: createObject(cluster, request), created: true };
  }
  if (!definition.custom) fillNullItems(body as Json, resource.version.schema);
  const mistyped = definition.custom ? undefined : wrongType(body, resource.version.schema);
  if (mistyped !== undefined) throw undecodable(resource, mistyped);
  const live = inVersion(stored, resource);
  checkIncarnation(request, live);
  const faults = request.faults ?? [];
  const object = finishUpdate(cluster, {
    resource,
    live,
    draft: body,
    subresource,
    options,
    admit: (unknown) => reportFaults([...faults, ...unknown], options, (text) => undecodable(resource, text)),
  });
  return { object, created: false };
}

function checkIncarnation({ resource, body, name }: ReplaceRequest, live: KubeObject): void {
  const { definition } = resource;
  const { uid, resourceVersion } = body.metadata;
  if (uid !== undefined && uid !== '' && uid !== live.metadata.uid) {
    const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${live.metadata.uid}`;
    throw conflict(definition, name, why);
  }
  const missing = resourceVersion === undefined || resourceVersion === '';
  if (missing && definition.strategy.requiresResourceVersion === true)
    throw invalidObject(definition, name, [invalid('metadata.resourceVersion', 0, 'must be specified for an update')]);
}
