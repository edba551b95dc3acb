/** Small builders that keep the schemas of the built-in kinds short enough to read. */
import type { Json, SchemaNode } from '../object.ts';

/** The schemas of an object's members by name. */
export type Fields = { [name: string]: SchemaNode };

/** Text. */
export const text: SchemaNode = { type: 'string' };
/** Base64 in JSON, bytes behind it. */
export const bytes: SchemaNode = { type: 'string', format: 'byte' };
/** An RFC 3339 moment in whole seconds. */
export const time: SchemaNode = { type: 'string', format: 'date-time' };
/** An RFC 3339 moment in microseconds. */
export const microTime: SchemaNode = { type: 'string', format: 'date-time' };
/** A 32-bit whole number. */
export const int32: SchemaNode = { type: 'integer', format: 'int32' };
/** A 64-bit whole number. */
export const int64: SchemaNode = { type: 'integer', format: 'int64' };
/** True or false. */
export const flag: SchemaNode = { type: 'boolean' };
/** A port by number or name, a count or a percentage. */
export const intOrText: SchemaNode = { 'x-kubernetes-int-or-string': true };
/** An amount such as `100m` or `1Gi`; numbers are understood too. */
export const quantity: SchemaNode = { type: 'string', format: 'quantity' };
/** Content this file does not describe: kept as it is. */
export const anything: SchemaNode = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

/** Text that is this when left out. */
export function textOr(value: string): SchemaNode {
  return { type: 'string', default: value };
}

/** A schema that has a value when left out. */
export function or(schema: SchemaNode, value: Json): SchemaNode {
  return { ...schema, default: value };
}

/** An object with these members; `required` names those that must be there. */
export function record(fields: Fields, ...required: string[]): SchemaNode {
  return { type: 'object', properties: fields, ...(required.length === 0 ? {} : { required }) };
}

/** An object that is owned and replaced as a whole. */
export function atomic(schema: SchemaNode): SchemaNode {
  return { ...schema, 'x-kubernetes-map-type': 'atomic' };
}

/** A map from text to values of a schema. */
export function mapOf(values: SchemaNode): SchemaNode {
  return { type: 'object', additionalProperties: values };
}

/** A list that is owned and replaced as a whole. */
export function listOf(items: SchemaNode): SchemaNode {
  return { type: 'array', items, 'x-kubernetes-list-type': 'atomic' };
}

/** A list of distinct values, each owned on its own. */
export function setOf(items: SchemaNode): SchemaNode {
  return { type: 'array', items, 'x-kubernetes-list-type': 'set' };
}

/** A list of items identified by these members, each owned on its own. */
export function listBy(keys: readonly string[], items: SchemaNode): SchemaNode {
  return { type: 'array', items, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': [...keys] };
}

/** The list or map with the way a strategic merge patch treats it; `key` is the member that matches list items. */
export function patched(schema: SchemaNode, strategy: string, key?: string): SchemaNode {
  return {
    ...schema,
    'x-kubernetes-patch-strategy': strategy,
    ...(key === undefined ? {} : { 'x-kubernetes-patch-merge-key': key }),
  };
}

/** A list identified by one member both when applied and when patched: the common case. */
export function mergedBy(key: string, items: SchemaNode): SchemaNode {
  return patched(listBy([key], items), 'merge', key);
}
