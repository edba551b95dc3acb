/** Fills in the defaults of a structural schema. */
import type { Json, JsonObject, SchemaNode } from '../object.ts';
import { copyJson, isObject } from './json-values.ts';

/**
 * Fills in defaults in place, outermost first so that a defaulted object gets its members' defaults too. An explicit
 * null in a field that is not nullable counts as absent: it is replaced by the default, or removed.
 * @param keepsNulls true for the result of a server-side apply: there a null without a default stays, for validation to
 *   reject
 */
export function applyDefaults(value: Json | undefined, schema: SchemaNode, keepsNulls = false): void {
  if (Array.isArray(value)) {
    if (schema.items !== undefined) for (const each of value) applyDefaults(each, schema.items, keepsNulls);
  } else if (isObject(value)) {
    defaultMembers(value, schema, keepsNulls);
  }
}

function defaultMembers(object: JsonObject, schema: SchemaNode, keepsNulls: boolean): void {
  for (const [key, property] of Object.entries(schema.properties ?? {})) {
    if (!keepsNulls || property.default !== undefined) settle(object, key, property);
    if (property.default !== undefined && !Object.hasOwn(object, key)) object[key] = copyJson(property.default);
    if (Object.hasOwn(object, key)) applyDefaults(object[key], property, keepsNulls);
  }
  const additional = schema.additionalProperties;
  if (typeof additional !== 'object') return;
  for (const [key, value] of Object.entries(object)) {
    if (schema.properties !== undefined && Object.hasOwn(schema.properties, key)) continue;
    if (!keepsNulls || additional.default !== undefined) settle(object, key, additional);
    if (value === null && additional.default !== undefined) object[key] = copyJson(additional.default);
    if (Object.hasOwn(object, key)) applyDefaults(object[key], additional, keepsNulls);
  }
}

/** Removes a null that is not allowed. */
function settle(object: JsonObject, key: string, schema: SchemaNode): void {
  const described = schema.type !== undefined || schema['x-kubernetes-int-or-string'] === true;
  if (described && schema.nullable !== true && Object.hasOwn(object, key) && object[key] === null) delete object[key];
}
