/** The few things every patch needs to do with JSON values: compare, copy, and touch members safely. */
import type { Json, JsonObject } from '../object.ts';

/** True for a JSON object (not null, not an array). */
export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The member of that name, or undefined; never something inherited from a prototype. */
export function getMember(object: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Sets a member in place; `__proto__` becomes an ordinary member, as JSON means it. */
export function setMember(object: JsonObject, name: string, value: Json): void {
  if (name === '__proto__') {
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
  } else {
    object[name] = value;
  }
}

/** The members that are there: a member set to undefined counts as absent, as it does when serialised. */
export function members(object: JsonObject): [string, Json][] {
  return Object.entries(object).filter(([, value]) => value !== undefined);
}

/** Deep equality of JSON values; the order of object members does not matter. */
export function equalJson(left: Json | undefined, right: Json | undefined): boolean {
  if (left === right) return true;
  if (Array.isArray(left)) {
    return Array.isArray(right) && left.length === right.length && left.every((item, at) => equalJson(item, right[at]));
  }
  if (!isJsonObject(left) || !isJsonObject(right)) return false;
  const entries = members(left);
  return (
    entries.length === members(right).length &&
    entries.every(([name, value]) => Object.hasOwn(right, name) && equalJson(value, right[name]))
  );
}

/** A deep copy that shares nothing with the original. */
export function copyJson<T extends Json>(value: T): T {
  if (Array.isArray(value)) return value.map((item) => copyJson(item)) as T;
  if (!isJsonObject(value)) return value;
  const copy: JsonObject = {};
  for (const [name, member] of members(value)) setMember(copy, name, copyJson(member));
  return copy as T;
}
