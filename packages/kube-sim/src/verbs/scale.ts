/** The scale subresource: replica counts of any kind in one form. */
import type { WriteOptions } from '../admission/write-options.ts';
import type { Cluster } from '../cluster.ts';
import { badRequest, conflict, OBJECT_MODIFIED, plainError, resourceNotFound } from '../errors/api-errors.ts';
import type { Json, KubeObject } from '../object.ts';
import type { ScalePaths, ServedResource } from '../resources/definition.ts';
import { copyJson, isObject } from '../schema/json-values.ts';
import { fieldAt, setFieldAt } from '../selectors/field-at.ts';
import { formatLabelSelector } from '../selectors/label-selector.ts';
import { finishUpdate } from './finish-update.ts';
import type { Target } from './identity.ts';
import { type PatchFormat, patched } from './patch.ts';
import { readObject } from './read.ts';

/**
 * The `autoscaling/v1` Scale of an object.
 * @throws StatusError 404
 */
export function readScale(cluster: Cluster, target: Target): KubeObject {
  return scaleOf(readObject(cluster, target), pathsOf(target.resource));
}

/**
 * Sets the replicas of an object through its Scale.
 * @throws StatusError 400, 404, 409 or 422
 */
export function replaceScale(cluster: Cluster, target: Target, body: KubeObject, options: WriteOptions): KubeObject {
  const paths = pathsOf(target.resource);
  const live = readObject(cluster, target);
  const { resourceVersion } = body.metadata ?? {};
  if (resourceVersion !== undefined && resourceVersion !== '' && resourceVersion !== live.metadata.resourceVersion)
    throw conflict(target.resource.definition, target.name, OBJECT_MODIFIED);
  const replicas = fieldAt(body, 'spec.replicas') ?? 0;
  if (typeof replicas !== 'number') throw badRequest('Scale: spec.replicas must be an integer');
  const draft = copyJson(live);
  setFieldAt(draft, paths.specReplicasPath, replicas);
  const { resource } = target;
  const updated = finishUpdate(cluster, { resource, live, draft, subresource: 'scale', options });
  return scaleOf(updated, paths);
}

/**
 * Patches the Scale of an object.
 * @throws StatusError as {@link replaceScale}, and 500 for a server-side apply, which no kind's scale supports
 */
export function patchScale(
  cluster: Cluster,
  target: Target,
  change: { readonly format: PatchFormat | 'apply'; readonly patch: Json },
  options: WriteOptions,
): KubeObject {
  const { format, patch } = change;
  if (format === 'apply')
    throw plainError(
      'failed to convert live object (/; autoscaling/v1, Kind=Scale) to proper version: no kind "Scale" is registered',
    );
  const scale = readScale(cluster, target);
  const body = patched(scale as Json, { format, patch, resource: target.resource });
  if (!isObject(body)) throw badRequest('Scale: the patch left no object');
  return replaceScale(cluster, target, body as unknown as KubeObject, options);
}

function pathsOf(resource: ServedResource): ScalePaths {
  const { scale } = resource.version;
  if (scale === undefined) throw resourceNotFound();
  return scale;
}

function scaleOf(object: KubeObject, paths: ScalePaths): KubeObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const selector = paths.labelSelectorPath === undefined ? undefined : fieldAt(object, paths.labelSelectorPath);
  const text = isObject(selector) ? formatLabelSelector(selector) : selector;
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: copyJson({
      name,
      ...(namespace === undefined ? {} : { namespace }),
      uid,
      resourceVersion,
      creationTimestamp,
    }) as KubeObject['metadata'],
    spec: { replicas: fieldAt(object, paths.specReplicasPath) ?? 0 },
    status: {
      replicas: fieldAt(object, paths.statusReplicasPath) ?? 0,
      ...(text === undefined ? {} : { selector: text }),
    },
  };
}
