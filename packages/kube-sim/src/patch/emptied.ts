/** Placeholders for a list or object that lost all content, between removing fields and storing the rest. */
import type { Json, JsonObject } from '../object.ts';
import { isObject, setMember } from '../schema/json-values.ts';
import { members } from './json-members.ts';

/** Known by identity: a list that lost its last item. */
export const EMPTIED_LIST: Json[] = [];
/** Known by identity: an object that lost its last member. */
export const EMPTIED_OBJECT: JsonObject = {};

/** True for a placeholder; a value that was always empty is not one. */
export function isEmptied(value: Json): boolean {
  return value === EMPTIED_LIST || value === EMPTIED_OBJECT;
}

/** The value without members that are placeholders. */
export function withoutEmptied<T extends Json>(value: T): T {
  if (Array.isArray(value)) return value.map((item) => withoutEmptied(item)) as T;
  if (!isObject(value)) return value;
  const left: JsonObject = {};
  for (const [name, member] of members(value)) if (!isEmptied(member)) setMember(left, name, withoutEmptied(member));
  return left as T;
}

/**
 * The value with null instead of placeholders, as the API server stores custom objects; their metadata is typed and has
 * no nulls.
 */
export function emptiedAsNull(object: JsonObject): JsonObject {
  const left: JsonObject = {};
  for (const [name, member] of members(object))
    setMember(left, name, name === 'metadata' ? withoutEmptied(member) : asNull(member));
  return left;
}

function asNull(value: Json): Json {
  if (isEmptied(value)) return null;
  if (Array.isArray(value)) return value.map(asNull);
  if (!isObject(value)) return value;
  const left: JsonObject = {};
  for (const [name, member] of members(value)) setMember(left, name, asNull(member));
  return left;
}
