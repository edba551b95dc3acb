/**
 * Converts objects between the versions of their resource. Conversion only rewrites apiVersion; each version prunes and
 * defaults.
 */
import type { JsonObject, KubeObject, SchemaNode } from '../object.ts';
import { applyDefaults } from '../schema/default.ts';
import { copyJson } from '../schema/json-values.ts';
import { pruneObject } from '../schema/prune.ts';
import { apiVersionOf, type ServedResource } from './definition.ts';

/** The last schema that each object was converted with, so that reading it again costs nothing. */
const shapedBy = new WeakMap<KubeObject, SchemaNode>();
const conversions = new WeakMap<KubeObject, Map<SchemaNode, KubeObject>>();

/** Records that an object already has the shape of a version. */
export function markShaped(object: KubeObject, resource: ServedResource): void {
  shapedBy.set(object, resource.version.schema);
}

/** The object in the given version; the same object if it already is. It must not be changed. */
export function inVersion(object: KubeObject, resource: ServedResource): KubeObject {
  const { definition, version } = resource;
  const apiVersion = apiVersionOf(definition.group, version.name);
  if (!definition.custom) return object;
  if (object.apiVersion === apiVersion && shapedBy.get(object) === version.schema) return object;
  let known = conversions.get(object);
  if (known === undefined) {
    known = new Map();
    conversions.set(object, known);
  }
  let converted = known.get(version.schema);
  if (converted === undefined) {
    converted = shape(object, apiVersion, version.schema);
    known.set(version.schema, converted);
  }
  return converted;
}

function shape(object: KubeObject, apiVersion: string, schema: SchemaNode): KubeObject {
  const copy = { ...copyJson(object), apiVersion };
  pruneObject(copy as unknown as JsonObject, schema);
  applyDefaults(copy as unknown as JsonObject, schema);
  return copy;
}
