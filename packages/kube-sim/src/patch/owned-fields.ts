/** The fields that an applied object claims. */
import type { Json, JsonObject, SchemaNode } from '../object.ts';
import { isObject } from '../schema/json-values.ts';
import { isEmptied } from './emptied.ts';
import { type FieldSet, fieldSet, NO_FIELDS, THIS_FIELD, withSelf } from './field-set.ts';
import { members } from './json-members.ts';
import { memberElement, type PathElement } from './path-element.ts';
import { type ListShape, type MapShape, shapeOf } from './value-shape.ts';

/**
 * The fields that a value claims when it is applied: its leaves, items of keyed lists and sets, keys of maps, and
 * explicit empty or null values. Objects declared in a schema are not claimed themselves, only their content.
 */
export function ownedFields(schema: SchemaNode | undefined, value: Json): FieldSet {
  const shape = shapeOf(schema, value);
  if (shape.kind === 'leaf') return THIS_FIELD;
  if (shape.kind === 'list') return Array.isArray(value) ? itemFields(shape, value) : NO_FIELDS;
  return isObject(value) ? memberFields(shape, value) : NO_FIELDS;
}

function memberFields(shape: MapShape, value: JsonObject): FieldSet {
  return fieldSet(
    false,
    members(value).map(([name, member]): [PathElement, FieldSet] => {
      const { schema, declared } = shape.member(name);
      const fields = ownedFields(schema, member);
      const empty = member === null || isEmptied(member) || (isObject(member) && members(member).length === 0);
      return [memberElement(name), empty || !declared ? withSelf(fields) : fields];
    }),
  );
}

/** Items with the same key are claimed as one, without their content: the target is ambiguous. */
function itemFields(shape: ListShape, items: readonly Json[]): FieldSet {
  const fields = new Map<PathElement, FieldSet>();
  for (const item of items) {
    const element = shape.element(item);
    fields.set(element, fields.has(element) ? THIS_FIELD : withSelf(ownedFields(shape.items, item)));
  }
  return fieldSet(false, fields);
}

/** The set plus every declared member with fields below: the paths to cut when a whole branch is removed. */
export function withDeclaredParents(schema: SchemaNode | undefined, value: Json, set: FieldSet): FieldSet {
  const shape = shapeOf(schema, value);
  if (shape.kind === 'leaf' || set.children.size === 0) return set;
  if (shape.kind === 'list') return listParents(shape, Array.isArray(value) ? value : [], set);
  const object = isObject(value) ? value : {};
  return fieldSet(
    set.self,
    set.children.entries().map(([element, child]): [PathElement, FieldSet] => {
      const name = element.slice(2);
      const { schema: below, declared } = shape.member(name);
      const deeper = withDeclaredParents(below, object[name] ?? null, child);
      return [element, declared ? withSelf(deeper) : deeper];
    }),
  );
}

function listParents(shape: ListShape, items: readonly Json[], set: FieldSet): FieldSet {
  const byElement = new Map(items.map((item) => [shape.element(item), item]));
  return fieldSet(
    set.self,
    set.children
      .entries()
      .map(([element, child]): [PathElement, FieldSet] => [
        element,
        withDeclaredParents(shape.items, byElement.get(element) ?? null, child),
      ]),
  );
}
