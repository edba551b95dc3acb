/**
 * A null in a list of a built-in kind becomes the zero value of the list's items, since the real server decodes into
 * typed lists.
 */
import type { Json, SchemaNode } from '../object.ts';
import { isObject } from '../schema/json-values.ts';

const ZEROS: Readonly<Record<string, () => Json>> = {
  object: () => ({}),
  array: () => [],
  string: () => '',
  integer: () => 0,
  number: () => 0,
  boolean: () => false,
};

/** Replaces such items in place. */
export function fillNullItems(value: Json | undefined, schema: SchemaNode): void {
  if (Array.isArray(value)) {
    const { items = {} } = schema;
    for (const [index, item] of value.entries()) {
      if (item === null) value[index] = ZEROS[String(items.type)]?.() ?? null;
      else fillNullItems(item, items);
    }
    return;
  }
  if (!isObject(value)) return;
  for (const [field, inner] of Object.entries(schema.properties ?? {}))
    if (Object.hasOwn(value, field)) fillNullItems(value[field], inner);
}
