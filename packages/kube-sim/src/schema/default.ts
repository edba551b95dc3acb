/** Fills in the defaults of a structural schema. */
import type { Json, JsonObject, SchemaNode } from '../object.ts';
import { copyJson, isObject } from './json-values.ts';

/**
 * Fills defaults into a value in place, outermost first so that a defaulted object gets its members' defaults too.
 * An explicit null is replaced where the field is not nullable and has a default.
 */
export function applyDefaults(value: Json | undefined, schema: SchemaNode): void {
  if (Array.isArray(value)) {
    if (schema.items !== undefined) for (const each of value) applyDefaults(each, schema.items);
  } else if (isObject(value)) {
    defaultMembers(value, schema);
  }
}

function defaultMembers(object: JsonObject, schema: SchemaNode): void {
  for (const [key, property] of Object.entries(schema.properties ?? {})) {
    const present = Object.hasOwn(object, key);
    const replaceNull = present && object[key] === null && property.nullable !== true;
    if (property.default !== undefined && (!present || replaceNull)) object[key] = copyJson(property.default);
    if (Object.hasOwn(object, key)) applyDefaults(object[key], property);
  }
  const additional = schema.additionalProperties;
  if (typeof additional !== 'object') return;
  for (const [key, value] of Object.entries(object)) {
    if (schema.properties !== undefined && Object.hasOwn(schema.properties, key)) continue;
    if (value === null && additional.nullable !== true && additional.default !== undefined)
      object[key] = copyJson(additional.default);
    applyDefaults(object[key], additional);
  }
}
