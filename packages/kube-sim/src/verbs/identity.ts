/** A body must have the kind, namespace and name of its URL. */
import { badRequest, invalidObject } from '../errors/api-errors.ts';
import { invalid } from '../errors/field-error.ts';
import type { KubeObject, StatusError } from '../object.ts';
import { apiVersionOf, parseApiVersion, type ServedResource } from '../resources/definition.ts';
import { isObject } from '../schema/json-values.ts';

/** Target of a request. `namespace` is `''` for cluster-scoped resources and lists over all namespaces. */
export interface Target {
  readonly resource: ServedResource;
  readonly namespace: string;
  /** `''` if the URL names no object. */
  readonly name: string;
}

/**
 * Fills in the identity of the URL where a body omits it.
 * @throws StatusError 400 when the body contradicts the URL
 */
export function identify(body: KubeObject, { resource, namespace, name }: Target): void {
  const { definition, version } = resource;
  if (definition.custom && body.kind === undefined)
    throw badRequest(
      `the object provided is unrecognized (must be of type ${definition.kind}): Object 'Kind' is missing in '${JSON.stringify(body)}'`,
    );
  body.apiVersion ??= apiVersionOf(definition.group, version.name);
  body.kind ??= definition.kind;
  checkKind(body, resource);
  const metadata = isObject(body.metadata as never) ? body.metadata : ({} as KubeObject['metadata']);
  body.metadata = metadata;
  metadata.name ??= '';
  if (!resource.definition.namespaced) delete metadata.namespace;
  else if (metadata.namespace === undefined || metadata.namespace === '') metadata.namespace = namespace;
  if (metadata.name === '') metadata.name = name;
  checkPlace(body, { resource, namespace, name });
}

/**
 * Checks an identity without completing it.
 * @throws StatusError 400 when kind, namespace or name differ from those of the URL
 */
export function checkIdentity(body: KubeObject, target: Target): void {
  checkKind(body, target.resource);
  checkPlace(body, target);
}

function checkPlace({ metadata }: KubeObject, { resource, namespace, name }: Target): void {
  const { name: given, namespace: place } = metadata ?? {};
  if (resource.definition.namespaced && place !== undefined && place !== '' && place !== namespace)
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  if (name !== '' && given !== undefined && given !== '' && given !== name)
    throw badRequest(`the name of the object (${given}) does not match the name on the URL (${name})`);
}

function checkKind(body: KubeObject, { definition, version }: ServedResource): void {
  const expected = apiVersionOf(definition.group, version.name);
  if (body.kind !== definition.kind) throw otherKind(body, { definition, version });
  if (body.apiVersion !== expected)
    throw badRequest(
      `the API version in the data (${body.apiVersion}) does not match the expected API version (${expected})`,
    );
}

function otherKind(body: KubeObject, { definition }: ServedResource): StatusError {
  const { group, kind, custom } = definition;
  const { version } = parseApiVersion(body.apiVersion);
  if (!custom)
    return badRequest(
      `${body.kind} in version ${JSON.stringify(version)} cannot be handled as a ${kind}: converting (${version}.${body.kind}) to (${group === '' ? 'core' : group.split('.')[0]}.${kind}): unknown conversion`,
    );
  const name = body.metadata?.name ?? '';
  return invalidObject({ group, kind: body.kind }, name, [invalid('kind', body.kind, `must be ${kind}`)]);
}
