/** Removes a set of fields from a value. */
import type { Json, JsonObject, SchemaNode } from '../object.ts';
import { isObject, setMember } from '../schema/json-values.ts';
import { EMPTIED_LIST, EMPTIED_OBJECT } from './emptied.ts';
import { type FieldSet, isEmptySet } from './field-set.ts';
import { members } from './json-members.ts';
import { memberElement } from './path-element.ts';
import { type ListShape, type MapShape, shapeOf } from './value-shape.ts';

/**
 * The value without the fields of the set; containers that lose all content are emptied. The value itself is unchanged.
 */
export function removeFields<T extends Json>(schema: SchemaNode | undefined, value: T, fields: FieldSet): T {
  if (isEmptySet(fields)) return value;
  const shape = shapeOf(schema, value);
  if (shape.kind === 'list' && Array.isArray(value)) return removeItems(shape, value, fields) as T;
  if (shape.kind === 'map' && isObject(value)) return removeMembers(shape, value, fields) as T;
  return value;
}

function removeItems(shape: ListShape, items: Json[], fields: FieldSet): Json[] {
  const left = items.flatMap((item) => {
    const below = fields.children.get(shape.element(item));
    if (below === undefined) return [item];
    return below.self ? [] : [removeFields(shape.items, item, below)];
  });
  return left.length === 0 && items.length > 0 ? EMPTIED_LIST : left;
}

function removeMembers(shape: MapShape, value: JsonObject, fields: FieldSet): JsonObject {
  const left: JsonObject = {};
  for (const [name, member] of members(value)) {
    const below = fields.children.get(memberElement(name));
    if (below === undefined) setMember(left, name, member);
    else if (!below.self) setMember(left, name, removeFields(shape.member(name).schema, member, below));
  }
  return members(left).length === 0 && members(value).length > 0 ? EMPTIED_OBJECT : left;
}
