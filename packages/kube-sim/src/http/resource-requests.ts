/** Requests to collections, objects and subresources, each dispatched to its verb. */
import type { ServerResponse } from 'node:http';
import {
  badRequest,
  invalidOptions,
  methodNotAllowed,
  resourceNotFound,
  unsupportedMediaType,
} from '../errors/api-errors.ts';
import type { Json, KubeObject } from '../object.ts';
import type { ServedResource, Verb } from '../resources/definition.ts';
import { isObject } from '../schema/json-values.ts';
import { applyObject } from '../verbs/apply.ts';
import { createObject } from '../verbs/create.ts';
import { type DeleteOptions, deleteObject, parsePropagation } from '../verbs/delete.ts';
import { deleteCollection } from '../verbs/delete-collection.ts';
import type { Update } from '../verbs/finish-update.ts';
import type { Target } from '../verbs/identity.ts';
import { listObjects } from '../verbs/list.ts';
import { isTrue, parseListOptions } from '../verbs/list-options.ts';
import { type PatchFormat, patchObject } from '../verbs/patch.ts';
import { readObject } from '../verbs/read.ts';
import { replaceObject } from '../verbs/replace.ts';
import { patchScale, readScale, replaceScale } from '../verbs/scale.ts';
import { decodeBody } from './body.ts';
import { listReply, objectReply } from './present.ts';
import type { Reply } from './reply.ts';
import type { RequestContext } from './request-context.ts';
import type { ResourceRoute } from './route.ts';
import { deletedStatus } from './status.ts';
import { respondWithWatch } from './watch-response.ts';
import { dryRunErrors, parseWriteOptions } from './write-query.ts';

/**
 * Answers a request to a stored resource; undefined if the answer is streamed.
 * @throws StatusError of the verb
 */
export function handleResource(
  context: RequestContext,
  resource: ServedResource,
  route: ResourceRoute,
  response: ServerResponse,
): Reply | undefined {
  const { deprecationWarning } = resource.version;
  if (deprecationWarning !== undefined) context.warnings.push(deprecationWarning);
  const target: Target = { resource, namespace: route.namespace, name: route.name };
  if (route.subresource === 'scale') return handleScale(context, target);
  if (route.name === '') return handleCollection(context, target, response);
  return handleObject(context, target, subresourceOf(resource, route.subresource), response);
}

function subresourceOf({ definition, version }: ServedResource, name: string): Update['subresource'] {
  if (name === '') return '';
  if (name === 'status' && version.status) return 'status';
  if (name === 'finalize' && definition.subresources.some((each) => each.name === 'finalize')) return 'finalize';
  throw resourceNotFound();
}

function handleCollection(context: RequestContext, target: Target, response: ServerResponse): Reply | undefined {
  const { cluster, reads, method, query } = context;
  const { resource } = target;
  switch (method) {
    case 'HEAD':
    case 'GET': {
      const watch = isTrue(query.get('watch'));
      allow(resource, watch ? 'watch' : 'list');
      const options = parseListOptions(query, resource, watch);
      if (!watch) return listReply(context, resource, listObjects(reads, target, options));
      respondWithWatch(response, context, target, options);
      return undefined;
    }
    case 'POST': {
      allow(resource, 'create');
      if (resource.definition.namespaced && target.namespace === '') throw methodNotAllowed();
      const { object: body, faults } = objectBody(context);
      const options = parseWriteOptions(context, 'CreateOptions');
      return objectReply(context, resource, createObject(cluster, { ...target, body, faults, options }), 201);
    }
    case 'DELETE': {
      allow(resource, 'deletecollection');
      const objects = deleteCollection(
        cluster,
        target,
        parseListOptions(query, resource, false),
        deleteOptions(context),
      );
      const resourceVersion = String(cluster.store.revision);
      return listReply(context, resource, { objects, resourceVersion, continueToken: '', remaining: undefined });
    }
    default:
      throw methodNotAllowed();
  }
}

function handleObject(
  context: RequestContext,
  target: Target,
  subresource: Update['subresource'],
  response: ServerResponse,
): Reply | undefined {
  const { cluster, reads, method, query } = context;
  const { resource } = target;
  switch (method) {
    case 'HEAD':
    case 'GET': {
      if (!isTrue(query.get('watch'))) return objectReply(context, resource, readObject(reads, target));
      const named = new URLSearchParams(query);
      named.set('fieldSelector', `metadata.name=${target.name}`);
      respondWithWatch(response, context, target, parseListOptions(named, resource, true));
      return undefined;
    }
    case 'PUT': {
      allow(resource, 'update');
      const { object: body, faults } = objectBody(context);
      const options = parseWriteOptions(context, 'UpdateOptions');
      const { object, created } = replaceObject(cluster, { ...target, body, faults, subresource, options });
      return objectReply(context, resource, object, created ? 201 : 200);
    }
    case 'PATCH':
      allow(resource, 'patch');
      return handlePatch(context, target, subresource);
    case 'DELETE': {
      if (subresource !== '') throw methodNotAllowed();
      allow(resource, 'delete');
      const { object, removed } = deleteObject(cluster, target, deleteOptions(context));
      const { definition } = resource;
      if (!removed || definition.strategy.returnsDeleted === true) return objectReply(context, resource, object);
      return { code: 200, body: deletedStatus(definition, object), format: context.form.format };
    }
    default:
      throw methodNotAllowed();
  }
}

const APPLY_TYPE = 'application/apply-patch+yaml';
const PATCH_FORMATS: Readonly<Record<string, PatchFormat>> = {
  'application/json-patch+json': 'json',
  'application/merge-patch+json': 'merge',
  'application/strategic-merge-patch+json': 'strategic',
};

function handlePatch(context: RequestContext, target: Target, subresource: Update['subresource']): Reply {
  const { cluster, query } = context;
  const { resource } = target;
  const format = patchFormat(context, resource);
  if (format === 'apply') {
    const options = parseWriteOptions(context, 'PatchOptions', true);
    const { value } = decodeBody(context.bytes, 'application/yaml');
    const body = (value ?? {}) as unknown as KubeObject;
    const force = isTrue(query.get('force'));
    const { object, created } = applyObject(cluster, { ...target, body, subresource, force, options });
    return objectReply(context, resource, object, created ? 201 : 200);
  }
  const options = parseWriteOptions(context, 'PatchOptions');
  const { value, faults } = decodeBody(context.bytes, 'application/json');
  if (value === undefined) throw badRequest('the body of a patch must not be empty');
  const object = patchObject(cluster, { ...target, format, patch: value, faults, subresource, options });
  return objectReply(context, resource, object);
}

function patchFormat(context: RequestContext, { definition }: ServedResource): PatchFormat | 'apply' {
  const { type } = context;
  if (type === APPLY_TYPE) return 'apply';
  const format = PATCH_FORMATS[type];
  if (format !== undefined && !(definition.custom && format === 'strategic')) return format;
  const types = ['application/json-patch+json', 'application/merge-patch+json'];
  if (!definition.custom) types.push('application/strategic-merge-patch+json');
  throw unsupportedMediaType([...types, APPLY_TYPE]);
}

function handleScale(context: RequestContext, target: Target): Reply {
  const { cluster, method } = context;
  const { format } = context.form;
  if (method === 'GET') return { code: 200, body: readScale(cluster, target), format };
  if (method === 'PUT') {
    const { object } = objectBody(context);
    const options = parseWriteOptions(context, 'UpdateOptions');
    return { code: 200, body: replaceScale(cluster, target, object, options), format };
  }
  if (method !== 'PATCH') throw methodNotAllowed();
  const patchAs = patchFormat(context, target.resource);
  const options = parseWriteOptions(context, 'PatchOptions', patchAs === 'apply');
  const { value = null } = decodeBody(context.bytes, 'application/yaml');
  return { code: 200, body: patchScale(cluster, target, { format: patchAs, patch: value }, options), format };
}

function allow({ definition }: ServedResource, verb: Verb): void {
  if (!definition.verbs.includes(verb)) throw methodNotAllowed();
}

/**
 * The object in a POST or PUT.
 * @throws StatusError 400 or 415
 */
export function objectBody(context: RequestContext): {
  readonly object: KubeObject;
  readonly faults: readonly string[];
} {
  const { value, faults } = decodeBody(context.bytes, context.type);
  if (!isObject(value)) throw badRequest('the request body must be an object');
  return { object: value as unknown as KubeObject, faults };
}

function deleteOptions(context: RequestContext): DeleteOptions {
  const { value } = decodeBody(context.bytes, context.type === '' ? 'application/json' : context.type);
  const body = isObject(value) ? value : {};
  const { query } = context;
  const dryRun = [...query.getAll('dryRun'), ...list(body['dryRun'])];
  const errors = dryRunErrors(dryRun);
  if (errors.length > 0) throw invalidOptions('DeleteOptions', errors);
  const text = query.get('propagationPolicy') ?? (body['propagationPolicy'] as string | undefined);
  const propagation = parsePropagation(text);
  const { preconditions } = body;
  return {
    dryRun: dryRun.includes('All'),
    ...(propagation === undefined ? {} : { propagation }),
    ...(isObject(preconditions) ? { preconditions } : {}),
  };
}

function list(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
