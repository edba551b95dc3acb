/** Differences between two values, as sets of fields. */
import type { Json, SchemaNode } from '../object.ts';
import { equalJson, isObject } from '../schema/json-values.ts';
import { type FieldSet, fieldSet, NO_FIELDS, THIS_FIELD, union, withSelf } from './field-set.ts';
import { getMember, members } from './json-members.ts';
import { memberElement, type PathElement } from './path-element.ts';
import { type ListShape, type MapShape, type Shape, shapeOf } from './value-shape.ts';

/** The fields that only the newer value has, that both have with different values, and that only the older has. */
export interface FieldChanges {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

type Value = Json | undefined;

const NO_CHANGES: FieldChanges = { added: NO_FIELDS, modified: NO_FIELDS, removed: NO_FIELDS };

/** Compares two values under a schema; undefined means a missing value. */
export function compareFields(schema: SchemaNode | undefined, before: Value, after: Value): FieldChanges {
  if (before === after) return NO_CHANGES;
  const old = before === undefined ? undefined : shapeOf(schema, before);
  const now = after === undefined ? undefined : shapeOf(schema, after);
  const main = (now ?? old) as Shape;
  const changes = compareAs(main, before, after);
  return old === undefined || old.kind === main.kind ? changes : merge([changes, compareAs(old, before, after)]);
}

function compareAs(shape: Shape, before: Value, after: Value): FieldChanges {
  if (shape.kind === 'leaf') return compareLeaf(before, after);
  if (shape.kind === 'list') {
    const [old, now] = [before, after].map((value) => (Array.isArray(value) ? value : [])) as [Json[], Json[]];
    if (old.length === 0 && now.length === 0) return compareLeaf(before, after);
    return here(compareItems(shape, old, now), before, after);
  }
  return compareMembers(shape, before, after);
}

function compareLeaf(before: Value, after: Value): FieldChanges {
  if (before === undefined) return { ...NO_CHANGES, added: THIS_FIELD };
  if (after === undefined) return { ...NO_CHANGES, removed: THIS_FIELD };
  return equalJson(before, after) ? NO_CHANGES : { ...NO_CHANGES, modified: THIS_FIELD };
}

function compareMembers(shape: MapShape, before: Value, after: Value): FieldChanges {
  const old = isObject(before) ? before : {};
  const now = isObject(after) ? after : {};
  const names = new Set([...members(old), ...members(now)].map(([name]) => name));
  if (names.size === 0) return compareLeaf(before, after);
  const changes = names
    .values()
    .map((name): [PathElement, FieldChanges] => [
      memberElement(name),
      compareFields(shape.member(name).schema, getMember(old, name), getMember(now, name)),
    ]);
  return here(changes, before, after);
}

function* compareItems(shape: ListShape, before: Json[], after: Json[]): Generator<[PathElement, FieldChanges]> {
  const old = Map.groupBy(before, (item) => shape.element(item));
  const now = Map.groupBy(after, (item) => shape.element(item));
  for (const element of new Set([...old.keys(), ...now.keys()])) {
    yield [element, compareSameKey(shape, old.get(element) ?? [], now.get(element) ?? [])];
  }
}

/** Items with the same key are one field: present or not, changed or not. */
function compareSameKey(shape: ListShape, old: Json[], now: Json[]): FieldChanges {
  if (old.length <= 1 && now.length <= 1) return compareFields(shape.items, old[0], now[0]);
  if (old.length > 1 && now.length > 1)
    return equalJson(old, now) ? NO_CHANGES : { ...NO_CHANGES, modified: THIS_FIELD };
  if (old.length > 1)
    return merge([compareFields(shape.items, undefined, now[0]), { ...NO_CHANGES, removed: THIS_FIELD }]);
  return merge([compareFields(shape.items, old[0], undefined), { ...NO_CHANGES, added: THIS_FIELD }]);
}

/** Moves the changes below to this field, which is itself added or removed if one side does not have it. */
function here(below: Iterable<[PathElement, FieldChanges]>, before: Value, after: Value): FieldChanges {
  const all = [...below];
  const added = fieldSet(
    false,
    all.map(([element, { added }]) => [element, added] as const),
  );
  const removed = fieldSet(
    false,
    all.map(([element, { removed }]) => [element, removed] as const),
  );
  return {
    added: before === undefined ? withSelf(added) : added,
    modified: fieldSet(
      false,
      all.map(([element, { modified }]) => [element, modified] as const),
    ),
    removed: after === undefined ? withSelf(removed) : removed,
  };
}

function merge(all: readonly FieldChanges[]): FieldChanges {
  return all.reduce((left, right) => ({
    added: union(left.added, right.added),
    modified: union(left.modified, right.modified),
    removed: union(left.removed, right.removed),
  }));
}
