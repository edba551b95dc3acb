/** Fields of plain data by the names that lead to them. Nothing is changed in place. */
import type { JsonObject, JsonValue } from '@meshrelay/api';
import { MisfitError } from './misfit-error.ts';

/** The value under the names, or undefined. */
export function valueAt(data: JsonValue | undefined, names: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = data;
  for (const name of names) {
    if (!isObject(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

/** How many of the names, from the first, lead somewhere. */
export function depthOf(data: JsonValue | undefined, names: readonly string[]): number {
  let depth = 0;
  while (depth < names.length && valueAt(data, names.slice(0, depth + 1)) !== undefined) depth++;
  return depth;
}

/** The data with that value; undefined removes the field. Objects on the way are made. @throws MisfitError where something else stands there */
export function withValueAt(
  data: JsonValue | undefined,
  names: readonly string[],
  value: JsonValue | undefined,
): JsonValue | undefined {
  const [name, ...rest] = names;
  if (name === undefined) return value;
  if (data !== undefined && data !== null && !isObject(data)) throw new MisfitError(`it has no place for ${name}`);
  const inner = withValueAt(data?.[name], rest, value);
  const { [name]: _, ...others } = data ?? {};
  if (inner === undefined) return data === undefined ? undefined : others;
  // Names keep their places.
  return data !== null && data !== undefined && Object.hasOwn(data, name)
    ? { ...data, [name]: inner }
    : { ...others, [name]: inner };
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
