/** The real server decodes built-in kinds into typed fields, so a value of the wrong type is a 400, not a 422. */
import type { Json, KubeObject, SchemaNode } from '../object.ts';
import { member } from '../schema/field-path.ts';
import { matchesFormat } from '../schema/formats.ts';
import { isObject, jsonType } from '../schema/json-values.ts';

/** The decoder's message about the first value of a wrong type, or undefined if all fit. */
export function wrongType(object: KubeObject, schema: SchemaNode): string | undefined {
  const found = search(object as Json, schema, '');
  if (found === undefined) return undefined;
  const { actual, path, expected } = found;
  if (expected === 'time') return `parsing time ${actual} as "2006-01-02T15:04:05Z07:00": cannot parse ${actual}`;
  return `json: cannot unmarshal ${actual} into Go struct field ${object.kind}.${path} of type ${expected}`;
}

interface Mismatch {
  readonly actual: string;
  readonly path: string;
  readonly expected: string;
}

function search(value: Json, schema: SchemaNode, path: string): Mismatch | undefined {
  if (value === null) return undefined;
  const actual = jsonType(value);
  if (!fits(actual, schema)) return { actual: goKind(value, actual), path, expected: goType(schema) };
  if (typeof value === 'string' && schema.format === 'date-time' && !matchesFormat('date-time', value))
    return { actual: JSON.stringify(value), path, expected: 'time' };
  if (Array.isArray(value)) {
    const items = schema.items;
    return items === undefined ? undefined : firstOf(value, (each) => search(each, items, path));
  }
  if (!isObject(value)) return undefined;
  return firstOf(Object.entries(value), ([key, each]) => {
    const own =
      schema.properties !== undefined && Object.hasOwn(schema.properties, key) ? schema.properties[key] : undefined;
    if (own !== undefined) return search(each, own, member(path, key));
    return typeof schema.additionalProperties === 'object'
      ? search(each, schema.additionalProperties, path)
      : undefined;
  });
}

function firstOf<T, R>(items: Iterable<T>, find: (each: T) => R | undefined): R | undefined {
  for (const each of items) {
    const found = find(each);
    if (found !== undefined) return found;
  }
  return undefined;
}

function fits(actual: ReturnType<typeof jsonType>, schema: SchemaNode): boolean {
  if (schema['x-kubernetes-int-or-string'] === true) return actual === 'integer' || actual === 'string';
  if (schema.type === undefined) return true;
  if (schema.type === actual || (schema.type === 'number' && actual === 'integer')) return true;
  // Quantities are strings that clients may write as numbers.
  return schema.type === 'string' && schema.format === 'quantity' && (actual === 'integer' || actual === 'number');
}

function goKind(value: Json, actual: string): string {
  if (actual === 'boolean') return 'bool';
  return actual === 'integer' || actual === 'number' ? `number${actual === 'number' ? ` ${value}` : ''}` : actual;
}

function goType(schema: SchemaNode): string {
  if (schema.type === 'integer') return schema.format === 'int64' ? 'int64' : 'int32';
  if (schema.type === 'boolean') return 'bool';
  if (schema.type === 'array') return `[]${goType(schema.items ?? {})}`;
  if (schema.type === 'object')
    return typeof schema.additionalProperties === 'object'
      ? `map[string]${goType(schema.additionalProperties)}`
      : 'struct';
  return schema.type ?? 'interface {}';
}
