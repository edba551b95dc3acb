/** Removes, or only reports, the unknown fields of an object. */
import type { Json, JsonObject, SchemaNode } from '../object.ts';
import { item, member } from './field-path.ts';
import { isObject } from './json-values.ts';
import { objectMetaSchema } from './object-meta.ts';

/** Options of {@link prune}. */
export interface PruneOptions {
  /** Called with the path of each unknown field, in document order. */
  readonly onUnknown?: (path: string) => void;
  /** False leaves the object unchanged. */
  readonly remove?: boolean;
}

const EMBEDDED: SchemaNode = { type: 'object', properties: { apiVersion: {}, kind: {}, metadata: objectMetaSchema } };

/** Prunes a whole object in place: `apiVersion`, `kind` and `metadata` are always known. */
export function pruneObject(object: JsonObject, schema: SchemaNode, options: PruneOptions = {}): void {
  pruneMembers(object, schema, '', options, true);
}

/** Prunes a value in place against its schema; `path` is the position of the value, for reports. */
export function prune(value: Json | undefined, schema: SchemaNode, path: string, options: PruneOptions = {}): void {
  if (Array.isArray(value)) {
    const items = schema.items;
    if (items !== undefined)
      for (const [index, each] of value.entries()) prune(each, items, item(path, index), options);
  } else if (isObject(value)) {
    pruneMembers(value, schema, path, options, schema['x-kubernetes-embedded-resource'] === true);
  }
}

function pruneMembers(
  object: JsonObject,
  schema: SchemaNode,
  path: string,
  options: PruneOptions,
  isResource: boolean,
): void {
  const preserved = schema['x-kubernetes-preserve-unknown-fields'] === true;
  const additional = schema.additionalProperties;
  for (const [key, value] of Object.entries(object)) {
    const known = (isResource ? resourceMember(key, schema) : undefined) ?? ownMember(schema.properties, key);
    if (known !== undefined) prune(value, known, member(path, key), options);
    else if (typeof additional === 'object') prune(value, additional, member(path, key), options);
    else if (additional !== true && !preserved) {
      options.onUnknown?.(member(path, key));
      if (options.remove !== false) delete object[key];
    }
  }
}

function ownMember(properties: SchemaNode['properties'], key: string): SchemaNode | undefined {
  return properties !== undefined && Object.hasOwn(properties, key) ? properties[key] : undefined;
}

/** Schemas of built-in kinds include metadata; for custom ones it is implied. */
function resourceMember(key: string, schema: SchemaNode): SchemaNode | undefined {
  if (key === 'metadata' && schema.properties?.['metadata']?.properties?.['labels'] !== undefined) return undefined;
  return ownMember(EMBEDDED.properties, key);
}
