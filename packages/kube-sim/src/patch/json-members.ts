/** The members of JSON objects: own ones only, whatever they are called. */
import type { Json, JsonObject } from '../object.ts';

/** The member of that name, or undefined; never something inherited from a prototype. */
export function getMember(object: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** The members that are there: a member set to undefined counts as absent, as it does when serialised. */
export function members(object: JsonObject): [string, Json][] {
  return Object.entries(object).filter(([, value]) => value !== undefined);
}
