/** The members of JSON objects: own members only, with any name. */
import type { Json, JsonObject } from '../object.ts';

/** The member of that name, or undefined; never an inherited one. */
export function getMember(object: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** The present members: one set to undefined counts as absent, as in serialisation. */
export function members(object: JsonObject): [string, Json][] {
  return Object.entries(object).filter(([, value]) => value !== undefined);
}
