/** All rules for an object before it is stored. */
import { type Cluster, strategyContext } from '../cluster.ts';
import { invalidObject } from '../errors/api-errors.ts';
import { type FieldError, invalid } from '../errors/field-error.ts';
import type { Json, KubeObject, SchemaNode } from '../object.ts';
import type { ServedResource } from '../resources/definition.ts';
import { equalJson } from '../schema/json-values.ts';
import { validate } from '../schema/validate.ts';
import { validateLists } from '../schema/validate-lists.ts';
import { fieldAt } from '../selectors/field-at.ts';
import { validateMetadata, validateMetadataUpdate } from './metadata.ts';

/** After these errors the real server does not evaluate CEL rules, and reports that. */
const BLOCKING = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

/**
 * Validates a new object (`live` undefined) or a new state of one.
 * @throws StatusError 422 naming every broken rule
 */
export function validateObject(
  cluster: Cluster,
  resource: ServedResource,
  object: KubeObject,
  live?: KubeObject,
  subresource?: string,
): void {
  const { definition } = resource;
  const errors = [
    ...(live === undefined ? validateMetadata(object, definition) : validateMetadataUpdate(object, live)),
    ...(definition.custom ? customErrors(resource, object, live, subresource) : []),
    ...(definition.custom || subresource === 'status' ? [] : missingFields(resource, object)),
    ...(definition.strategy.validate?.(object, live, strategyContext(cluster)) ?? []),
  ];
  if (errors.length > 0) throw invalidObject(definition, object.metadata.name, errors);
}

/** Of the schemas of built-in kinds only required fields are enforced: their other rules are code. */
function missingFields({ version }: ServedResource, object: KubeObject): FieldError[] {
  const { status: _status, ...written } = object;
  return validate(written as unknown as Json, version.schema).filter((error) => error.reason === 'FieldValueRequired');
}

function customErrors(
  resource: ServedResource,
  object: KubeObject,
  live: KubeObject | undefined,
  subresource: string | undefined,
): FieldError[] {
  const { schema } = resource.version;
  const errors = [
    ...schemaErrors(object, schema, live, subresource),
    ...scaleErrors(resource, object),
    ...validateLists(object as Json, schema),
  ];
  if (!hasRules(schema) || !errors.some((error) => BLOCKING.has(error.reason))) return errors;
  const skipped =
    'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';
  return [...errors, invalid('<nil>', null, skipped)];
}

function schemaErrors(
  object: KubeObject,
  schema: SchemaNode,
  live: KubeObject | undefined,
  subresource: string | undefined,
): FieldError[] {
  const statusSchema = schema.properties?.['status'];
  const errors =
    subresource !== 'status'
      ? validate(object as Json, schema)
      : statusSchema === undefined || object['status'] === undefined
        ? []
        : validate(object['status'] as Json, statusSchema).map(underStatus);
  return live === undefined ? errors : errors.filter((error) => !isUnchanged(error, object, live));
}

function underStatus(error: FieldError): FieldError {
  return { ...error, field: error.field === '<nil>' ? 'status' : `status.${error.field}` };
}

/** A stored value that predates its rule stays valid while it is unchanged. */
function isUnchanged(error: FieldError, object: KubeObject, live: KubeObject): boolean {
  if (error.reason === 'FieldValueRequired' || error.field === '<nil>') return false;
  const path = error.field.replaceAll(/\[(\d+)\]/g, '.$1');
  const value = fieldAt(object, path);
  return value !== undefined && equalJson(value, fieldAt(live, path));
}

function scaleErrors(resource: ServedResource, object: KubeObject): FieldError[] {
  const { scale } = resource.version;
  if (scale === undefined) return [];
  return [scale.specReplicasPath, scale.statusReplicasPath].flatMap((path) => {
    const value = fieldAt(object, path);
    if (value === undefined || (Number.isInteger(value) && (value as number) >= 0)) return [];
    if (Number.isInteger(value)) return [invalid(path, value, 'should be a non-negative integer')];
    const detail = `${path} accessor error: ${JSON.stringify(value)} is of the type ${goType(value)}, expected int64`;
    return [invalid(path, 0, detail)];
  });
}

function goType(value: Json): string {
  if (typeof value === 'number') return 'float64';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

const rulesKnown = new WeakMap<SchemaNode, boolean>();

/** Whether any part of the schema has CEL rules. */
function hasRules(schema: SchemaNode): boolean {
  let known = rulesKnown.get(schema);
  if (known === undefined) {
    const below = [
      ...Object.values(schema.properties ?? {}),
      ...(schema.items === undefined ? [] : [schema.items]),
      ...(typeof schema.additionalProperties === 'object' ? [schema.additionalProperties] : []),
    ];
    known = (schema['x-kubernetes-validations']?.length ?? 0) > 0 || below.some(hasRules);
    rulesKnown.set(schema, known);
  }
  return known;
}
