/** OpenAPI v3 of one group and version: enough for kubectl to validate, explain and select patch types. */
import { createHash } from 'node:crypto';
import type { Json, JsonObject, SchemaNode } from '../object.ts';
import type { Catalog } from '../resources/catalog.ts';
import { apiVersionOf, type ResourceDefinition, type VersionDefinition } from '../resources/definition.ts';
import { objectMetaSchema } from '../schema/object-meta.ts';

const OBJECT_META = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';
const LIST_META = 'io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta';

/** A document with the hash in its URL. */
export interface OpenApiDocument {
  readonly text: string;
  /** Upper-case hexadecimal. */
  readonly hash: string;
}

/** The document of a group and version, or undefined if nothing is served there. */
export function openApiDocument(catalog: Catalog, group: string, version: string): OpenApiDocument | undefined {
  const paths: JsonObject = {};
  const schemas: JsonObject = { [OBJECT_META]: objectMetaSchema as unknown as Json, [LIST_META]: LIST_META_SCHEMA };
  for (const definition of catalog.all().filter((each) => each.group === group)) {
    const served = definition.versions.find((each) => each.served && each.name === version);
    if (served === undefined) continue;
    Object.assign(paths, pathsOf(definition, served));
    Object.assign(schemas, schemasOf(definition, served));
  }
  if (Object.keys(paths).length === 0) return undefined;
  const text = JSON.stringify({
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: 'v1.34.4' },
    paths,
    components: { schemas },
  });
  return { text, hash: createHash('sha512').update(text).digest('hex').toUpperCase() };
}

const LIST_META_SCHEMA: JsonObject = {
  type: 'object',
  properties: {
    continue: { type: 'string' },
    remainingItemCount: { type: 'integer', format: 'int64' },
    resourceVersion: { type: 'string' },
    selfLink: { type: 'string' },
  },
};

/** `io.ex.v1.Widget` for custom kinds, `io.k8s.api.apps.v1.Deployment` for built-in ones. */
function schemaName({ group, kind, custom }: ResourceDefinition, version: string): string {
  if (custom) return [...group.split('.').reverse(), version, kind].join('.');
  return `io.k8s.api.${group === '' ? 'core' : (group.split('.')[0] ?? group)}.${version}.${kind}`;
}

function schemasOf(definition: ResourceDefinition, version: VersionDefinition): JsonObject {
  const { group, kind, listKind } = definition;
  const name = schemaName(definition, version.name);
  const gvk = { group, version: version.name };
  const item: JsonObject = {
    ...(version.schema as unknown as JsonObject),
    type: 'object',
    properties: {
      apiVersion: { type: 'string', description: 'Version of the schema the object is written in.' },
      kind: { type: 'string', description: 'What the object is.' },
      metadata: { allOf: [{ $ref: `#/components/schemas/${OBJECT_META}` }], default: {} },
      ...withoutMetadata(version.schema),
    },
    'x-kubernetes-group-version-kind': [{ ...gvk, kind }],
  };
  const list: JsonObject = {
    type: 'object',
    required: ['items'],
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      items: { type: 'array', items: { allOf: [{ $ref: `#/components/schemas/${name}` }] } },
      metadata: { allOf: [{ $ref: `#/components/schemas/${LIST_META}` }] },
    },
    'x-kubernetes-group-version-kind': [{ ...gvk, kind: listKind }],
  };
  return { [name]: item, [`${name}List`]: list };
}

function withoutMetadata(schema: SchemaNode): JsonObject {
  const { metadata: _metadata, apiVersion: _version, kind: _kind, ...rest } = schema.properties ?? {};
  return rest as unknown as JsonObject;
}

function pathsOf(definition: ResourceDefinition, version: VersionDefinition): JsonObject {
  const { group, plural, namespaced } = definition;
  const root = `/${group === '' ? 'api' : 'apis'}/${apiVersionOf(group, version.name)}`;
  const collection = namespaced ? `${root}/namespaces/{namespace}/${plural}` : `${root}/${plural}`;
  const object = `${collection}/{name}`;
  const operations = new Operations(definition, version);
  return {
    ...(namespaced ? { [`${root}/${plural}`]: operations.of({ get: 'list' }) } : {}),
    [collection]: operations.of({ get: 'list', post: 'post', delete: 'deletecollection' }),
    [object]: operations.of({ get: 'get', put: 'put', patch: 'patch', delete: 'delete' }),
    ...(version.status ? { [`${object}/status`]: operations.of({ get: 'get', put: 'put', patch: 'patch' }) } : {}),
    ...(version.scale ? { [`${object}/scale`]: operations.of({ get: 'get', put: 'put', patch: 'patch' }) } : {}),
  };
}

const PARAMETERS: Readonly<Record<string, readonly string[]>> = {
  post: ['dryRun', 'fieldManager', 'fieldValidation'],
  put: ['dryRun', 'fieldManager', 'fieldValidation'],
  patch: ['dryRun', 'fieldManager', 'fieldValidation', 'force'],
  delete: ['dryRun', 'gracePeriodSeconds', 'propagationPolicy'],
  list: ['allowWatchBookmarks', 'continue', 'fieldSelector', 'labelSelector', 'limit', 'resourceVersion', 'watch'],
};

/** The operations of paths of one resource. */
class Operations {
  readonly #kind: JsonObject;
  readonly #content: JsonObject;

  constructor(definition: ResourceDefinition, version: VersionDefinition) {
    this.#kind = { group: definition.group, version: version.name, kind: definition.kind };
    const $ref = `#/components/schemas/${schemaName(definition, version.name)}`;
    this.#content = { 'application/json': { schema: { $ref } } };
  }

  /** Methods by their Kubernetes action. */
  of(methods: Readonly<Record<string, string>>): JsonObject {
    return Object.fromEntries(Object.entries(methods).map(([method, action]) => [method, this.#operation(action)]));
  }

  #operation(action: string): JsonObject {
    const parameters = (PARAMETERS[action] ?? []).map((name) => ({
      name,
      in: 'query',
      schema: { type: name === 'force' || name === 'watch' ? 'boolean' : 'string', uniqueItems: true },
    }));
    return {
      parameters,
      responses: { '200': { description: 'OK', content: this.#content } },
      'x-kubernetes-action': action,
      'x-kubernetes-group-version-kind': this.#kind,
    };
  }
}
