/** The schema of a whole object: its kind's, with the metadata that all kinds share. */

import type { SchemaNode } from '../object.ts';
import { objectMetaSchema } from '../schema/object-meta.ts';

const cache = new WeakMap<SchemaNode, SchemaNode>();

/** The schema with `apiVersion`, `kind` and `metadata` of all objects, which override the kind's own. */
export function rootSchema(schema: SchemaNode): SchemaNode {
  let root = cache.get(schema);
  if (root === undefined) {
    const common = { apiVersion: { type: 'string' }, kind: { type: 'string' }, metadata: objectMetaSchema } as const;
    root = { ...schema, properties: { ...schema.properties, ...common } };
    cache.set(schema, root);
  }
  return root;
}
