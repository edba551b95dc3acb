/** PATCH with a JSON, merge or strategic merge patch. */

import { fillNullItems } from '../admission/null-items.ts';
import { reportFaults } from '../admission/shape.ts';
import { wrongType } from '../admission/typed-values.ts';
import type { WriteOptions } from '../admission/write-options.ts';
import type { Cluster } from '../cluster.ts';
import { badRequest, invalidObject } from '../errors/api-errors.ts';
import { invalid } from '../errors/field-error.ts';
import type { Json, KubeObject, StatusError } from '../object.ts';
import { applyJsonPatch, type JsonPatchOperation } from '../patch/json-patch.ts';
import { applyMergePatch } from '../patch/merge-patch.ts';
import { applyStrategicMergePatch } from '../patch/strategic-merge-patch.ts';
import { copyJson, isObject } from '../schema/json-values.ts';
import { finishUpdate, type Update } from './finish-update.ts';
import type { Target } from './identity.ts';
import { readObject } from './read.ts';

/** The patch formats other than server-side apply. */
export type PatchFormat = 'json' | 'merge' | 'strategic';

/** A change of an object. */
export interface PatchRequest extends Target {
  readonly format: PatchFormat;
  readonly patch: Json;
  /** Faults found while reading the patch (duplicate fields). */
  readonly faults?: readonly string[];
  readonly subresource: Update['subresource'];
  readonly options: WriteOptions;
}

/**
 * Patches an object and returns the result.
 * @throws StatusError 400, 404, 409 or 422
 */
export function patchObject(cluster: Cluster, request: PatchRequest): KubeObject {
  const { resource, options, subresource, name } = request;
  const live = readObject(cluster, request);
  const draft = copyJson(patched(live as Json, request)) as unknown as KubeObject;
  if (!isObject(draft.metadata as never) || draft.kind !== live.kind || draft.apiVersion !== live.apiVersion)
    throw badRequest('a patch may not change apiVersion, kind or the presence of metadata');
  if (draft.metadata.name !== name)
    throw badRequest(`the name of the object (${draft.metadata.name}) does not match the name on the URL (${name})`);
  if (draft.metadata.namespace !== live.metadata.namespace)
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  if (!resource.definition.custom) fillNullItems(draft as Json, resource.version.schema);
  const mistyped = resource.definition.custom ? undefined : wrongType(draft, resource.version.schema);
  if (mistyped !== undefined) throw refusedPatch(draft, mistyped);
  const faults = request.faults ?? [];
  return finishUpdate(cluster, {
    resource,
    live,
    draft,
    subresource,
    options,
    admit: (unknown) => reportFaults([...faults, ...unknown], options, (text) => refusedPatch(draft, text)),
  });
}

/** The patched document; it may share parts, so it is copied before it is changed. */
export function patched(live: Json, request: Pick<PatchRequest, 'format' | 'patch' | 'resource'>): Json {
  const { format, patch, resource } = request;
  if (format === 'json') return applyJsonPatch(live, patch as unknown as JsonPatchOperation[]);
  if (!isObject(patch)) throw badRequest('a merge patch must be an object');
  if (format === 'merge') return applyMergePatch(live, patch);
  return applyStrategicMergePatch(live, patch, resource.version.schema) as Json;
}

function refusedPatch(draft: KubeObject, text: string): StatusError {
  return invalidObject({ group: '', kind: '' }, '', [invalid('patch', JSON.stringify(draft), text)]);
}
