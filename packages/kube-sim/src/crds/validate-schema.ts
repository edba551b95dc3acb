/** Whether a schema of a CRD is structural: every value has one type, declared outside of the logical junctors. */
import { type FieldError, forbidden, invalid, notSupported, required } from '../errors/field-error.ts';
import type { Json, SchemaNode } from '../object.ts';
import { copyJson, equalJson, isObject } from '../schema/json-values.ts';
import { compilePattern } from '../schema/pattern.ts';
import { prune } from '../schema/prune.ts';
import { validate } from '../schema/validate.ts';

type Level = 'root' | 'field' | 'item';

const TYPES = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const INT_OR_STRING = [{ type: 'integer' }, { type: 'string' }];
const JUNCTORS = ['allOf', 'anyOf', 'oneOf'] as const;
const TYPE_MISSING = {
  root: 'must not be empty at the root',
  field: 'must not be empty for specified object fields',
  item: 'must not be empty for specified array items',
} as const;

/** Every rule the schema breaks, by path. */
export function validateStructuralSchema(schema: SchemaNode, path: string): FieldError[] {
  const errors = [...node(schema, 'root', path), ...incomplete(schema, schema, path, path)];
  return errors.sort((a, b) => (a.field + a.detail < b.field + b.detail ? -1 : 1));
}

function node(schema: SchemaNode, level: Level, path: string): FieldError[] {
  return [
    ...typeErrors(schema, level, path),
    ...forbiddenKeywords(schema, path),
    ...listErrors(schema, path),
    ...defaultErrors(schema, path),
    ...patternErrors(schema, path),
    ...metadataErrors(schema, level, path),
    ...junctorErrors(schema, path),
    ...below(schema, level, path),
  ];
}

function below(schema: SchemaNode, level: Level, path: string): FieldError[] {
  const { items, properties = {}, additionalProperties } = schema;
  return [
    ...(items === undefined ? [] : node(items, 'item', `${path}.items`)),
    ...Object.entries(properties).flatMap(([name, each]) =>
      level === 'root' && name === 'metadata' ? [] : node(each, 'field', `${path}.properties[${name}]`),
    ),
    ...(additionalProperties !== undefined && level === 'root'
      ? [forbidden(`${path}.additionalProperties`, 'must not be used at the root')]
      : []),
    ...(typeof additionalProperties === 'object'
      ? node(additionalProperties, 'field', `${path}.additionalProperties`)
      : []),
  ];
}

function typeErrors(schema: SchemaNode, level: Level, path: string): FieldError[] {
  const { type } = schema;
  const field = `${path}.type`;
  const free = schema['x-kubernetes-int-or-string'] === true || schema['x-kubernetes-preserve-unknown-fields'] === true;
  if (type === undefined || (type as string) === '') return free ? [] : [required(field, TYPE_MISSING[level])];
  if (!TYPES.includes(type)) return [notSupported(field, type, TYPES)];
  if (level === 'root' && type !== 'object') return [invalid(field, type, 'must be object at the root')];
  if (type === 'array' && schema.items === undefined) return [required(`${path}.items`, 'must be specified')];
  return [];
}

function forbiddenKeywords(schema: SchemaNode, path: string): FieldError[] {
  const given = schema as Readonly<Record<string, unknown>>;
  const errors: FieldError[] = [];
  if (given['$ref'] !== undefined) errors.push(forbidden(`${path}.$ref`, '$ref is not supported'));
  if (schema.uniqueItems === true) {
    const why = 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic';
    errors.push(forbidden(`${path}.uniqueItems`, why));
  }
  for (const key of ['definitions', 'dependencies', 'id', 'patternProperties', 'additionalItems'])
    if (given[key] !== undefined) errors.push(forbidden(`${path}.${key}`, `${key} is not supported`));
  const both = schema.properties !== undefined && Object.keys(schema.properties).length > 0;
  if (both && schema.additionalProperties !== undefined && schema.additionalProperties !== false)
    errors.push(forbidden(`${path}.additionalProperties`, 'additionalProperties and properties are mutual exclusive'));
  else if (schema.additionalProperties === false)
    errors.push(forbidden(`${path}.additionalProperties`, 'additionalProperties cannot be set to false'));
  return errors;
}

function listErrors(schema: SchemaNode, path: string): FieldError[] {
  const kind = schema['x-kubernetes-list-type'];
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const { items } = schema;
  if (kind === undefined) {
    if (keys.length === 0) return [];
    return [required(`${path}.x-kubernetes-list-type`, 'must be map if x-kubernetes-list-map-keys is non-empty')];
  }
  if (!['atomic', 'set', 'map'].includes(kind))
    return [notSupported(`${path}.x-kubernetes-list-type`, kind, ['atomic', 'set', 'map'])];
  if (kind === 'set' && items?.type === 'object' && items['x-kubernetes-map-type'] !== 'atomic') {
    const why = 'must be atomic as item of a list with x-kubernetes-list-type=set';
    return [invalid(`${path}.items.x-kubernetes-map-type`, items['x-kubernetes-map-type'] ?? null, why)];
  }
  if (kind !== 'map') return [];
  if (keys.length === 0)
    return [required(`${path}.x-kubernetes-list-map-keys`, 'must not be empty if x-kubernetes-list-type is map')];
  return keys.flatMap((key) => {
    const property = items?.properties?.[key];
    const field = `${path}.items.properties[${key}]`;
    if (property === undefined)
      return [invalid(`${path}.x-kubernetes-list-map-keys`, keys, 'entries must all be names of item properties')];
    if (property.default !== undefined || items?.required?.includes(key) === true) return [];
    const why = 'this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property';
    return [required(`${field}.default`, why)];
  });
}

function defaultErrors(schema: SchemaNode, path: string): FieldError[] {
  if (schema.default === undefined) return [];
  const field = `${path}.default`;
  const pruned = copyJson(schema.default);
  prune(pruned, schema, '');
  if (!equalJson(pruned, schema.default)) return [invalid(field, schema.default, 'must not have unknown fields')];
  return validate(schema.default, schema).map((error) => ({
    ...error,
    field: error.field === '<nil>' ? field : `${field}.${error.field}`,
  }));
}

function patternErrors({ pattern }: SchemaNode, path: string): FieldError[] {
  if (pattern === undefined) return [];
  try {
    compilePattern(pattern);
    return [];
  } catch (error) {
    const why = `must be a valid regular expression, but isn't: ${(error as Error).message}`;
    return [invalid(`${path}.pattern`, pattern, why)];
  }
}

/** At the root, metadata may only restrict the name. */
function metadataErrors(schema: SchemaNode, level: Level, path: string): FieldError[] {
  const metadata = schema.properties?.['metadata'];
  if (level !== 'root' || metadata === undefined) return [];
  const field = `${path}.properties[metadata]`;
  if (metadata.type !== 'object') return [invalid(`${field}.type`, metadata.type ?? '', 'must be object')];
  const { type: _type, properties = {}, description: _description, ...rest } = metadata;
  const names = Object.keys(properties).filter((name) => name !== 'name' && name !== 'generateName');
  if (names.length === 0 && Object.keys(rest).length === 0) return [];
  return [
    forbidden(
      field,
      'must not specify anything other than name and generateName, but metadata is implicitly specified',
    ),
  ];
}

function junctorErrors(schema: SchemaNode, path: string): FieldError[] {
  const exempt = schema['x-kubernetes-int-or-string'] === true;
  const lists = JUNCTORS.flatMap((junctor) =>
    (schema[junctor] ?? []).flatMap((each, index) => {
      const firstAnyOf = junctor === 'allOf' && index === 0 && equalJson(each.anyOf, INT_OR_STRING);
      if (exempt && junctor === 'anyOf' && equalJson(schema.anyOf, INT_OR_STRING)) return [];
      const checked = exempt && firstAnyOf ? withoutAnyOf(each) : each;
      return nested(checked, `${path}.${junctor}[${index}]`);
    }),
  );
  return [...lists, ...(schema.not === undefined ? [] : nested(schema.not, `${path}.not`))];
}

function withoutAnyOf({ anyOf: _anyOf, ...rest }: SchemaNode): SchemaNode {
  return rest;
}

/** A junctor may contain only rules about values, and nothing that defines their shape. */
function nested(schema: SchemaNode, path: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const key of ['type', 'description', 'title'] as const)
    if (schema[key] !== undefined && schema[key] !== '')
      errors.push(forbidden(`${path}.${key}`, 'must be empty to be structural'));
  for (const key of ['default', 'additionalProperties'] as const)
    if (schema[key] !== undefined) errors.push(forbidden(`${path}.${key}`, 'must be undefined to be structural'));
  for (const key of [
    'nullable',
    'x-kubernetes-preserve-unknown-fields',
    'x-kubernetes-embedded-resource',
    'x-kubernetes-int-or-string',
  ] as const)
    if (schema[key] === true) errors.push(forbidden(`${path}.${key}`, 'must be false to be structural'));
  return [
    ...errors,
    ...patternErrors(schema, path),
    ...(schema.items === undefined ? [] : nested(schema.items, `${path}.items`)),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, each]) => nested(each, `${path}.properties[${name}]`)),
    ...junctorErrors(schema, path),
  ];
}

/**
 * Fields named in junctors at the root must also be specified outside of them; the server does not check deeper levels.
 */
function incomplete(rules: SchemaNode, schema: SchemaNode, path: string, base: string): FieldError[] {
  const branches: [SchemaNode, string][] = JUNCTORS.flatMap((junctor) =>
    (rules[junctor] ?? []).map((each, index): [SchemaNode, string] => [each, `${path}.${junctor}[${index}]`]),
  );
  if (rules.not !== undefined) branches.push([rules.not, `${path}.not`]);
  return branches.flatMap(([branch, at]) => [
    ...missing(branch, schema, at, base),
    ...incomplete(branch, schema, at, base),
  ]);
}

function missing(rules: SchemaNode, schema: SchemaNode | undefined, path: string, base: string): FieldError[] {
  const properties = rules.properties ?? {};
  return Object.entries(properties).flatMap(([name, each]) => {
    const own = schema?.properties?.[name];
    const at = `${path}.properties[${name}]`;
    const field = `${base}.properties[${name}]`;
    const implied = own === undefined && isObject(schema?.additionalProperties as Json | undefined);
    if (own === undefined && !implied) return [required(field, `because it is defined in ${at}`)];
    return missing(each, own, at, field);
  });
}
