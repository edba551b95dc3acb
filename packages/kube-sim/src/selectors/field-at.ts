/** Reads a field by its dotted path. */
import type { Json, JsonObject } from '../object.ts';
import { isObject } from '../schema/json-values.ts';

/** The value at `spec.a.b`, with or without a leading dot, or undefined. */
export function fieldAt(object: object, path: string): Json | undefined {
  let value: Json | undefined = object as JsonObject;
  for (const name of path.replace(/^\./, '').split('.')) {
    if (!isObject(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

/** Sets the value at a dotted path, creating the objects on the path. */
export function setFieldAt(object: object, path: string, value: Json): void {
  const names = path.replace(/^\./, '').split('.');
  const last = names.pop() as string;
  let holder = object as JsonObject;
  for (const name of names) {
    const next = holder[name];
    if (isObject(next)) holder = next;
    else holder = holder[name] = {};
  }
  holder[last] = value;
}
