/** A body must be of the kind, namespace and name that its URL says. */
import { badRequest } from '../errors/api-errors.ts';
import type { KubeObject } from '../object.ts';
import { apiVersionOf, type ServedResource } from '../resources/definition.ts';
import { isObject } from '../schema/json-values.ts';

/** Where a request points. `namespace` is `''` for cluster-scoped resources and lists over all namespaces. */
export interface Target {
  readonly resource: ServedResource;
  readonly namespace: string;
  /** `''` where the URL names no object. */
  readonly name: string;
}

/**
 * Gives a body the identity of its URL where it leaves it out.
 * @throws StatusError 400 when it says something else
 */
export function identify(body: KubeObject, { resource, namespace, name }: Target): void {
  checkKind(body, resource);
  const metadata = isObject(body.metadata as never) ? body.metadata : ({} as KubeObject['metadata']);
  body.metadata = metadata;
  metadata.name ??= '';
  if (!resource.definition.namespaced) delete metadata.namespace;
  else if (metadata.namespace === undefined || metadata.namespace === '') metadata.namespace = namespace;
  else if (metadata.namespace !== namespace)
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  if (name === '') return;
  if (metadata.name === '') metadata.name = name;
  if (metadata.name !== name)
    throw badRequest(`the name of the object (${metadata.name}) does not match the name on the URL (${name})`);
}

function checkKind(body: KubeObject, { definition, version }: ServedResource): void {
  const expected = apiVersionOf(definition.group, version.name);
  body.apiVersion ??= expected;
  body.kind ??= definition.kind;
  if (body.apiVersion !== expected)
    throw badRequest(
      `the API version in the data (${body.apiVersion}) does not match the expected API version (${expected})`,
    );
  if (body.kind !== definition.kind)
    throw badRequest(
      `${body.kind} in version ${JSON.stringify(version.name)} cannot be handled as a ${definition.kind}: the object provided is unrecognized (must be of type ${definition.kind})`,
    );
}
