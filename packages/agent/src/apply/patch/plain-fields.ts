/** Fields of plain data by the names that lead to them; `[NAME]` leads to the member of a list that has this `name`. Nothing is changed in place. */
import type { JsonObject, JsonValue } from '@meshrelay/api';
import { PatchTypeMismatchError } from './patch-type-mismatch-error.ts';

/** The value under the names, or undefined. */
export function valueAt(data: JsonValue | undefined, names: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = data;
  for (const name of names) {
    value = stepInto(value, name);
    if (value === undefined) return undefined;
  }
  return value;
}

/** The name of the member that a step leads to; undefined: it leads to a field. */
export function memberOf(step: string): string | undefined {
  return /^\[(.+)\]$/.exec(step)?.[1];
}

function stepInto(value: JsonValue | undefined, name: string): JsonValue | undefined {
  const member = memberOf(name);
  if (member !== undefined) return Array.isArray(value) ? value.find((one) => isNamed(one, member)) : undefined;
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function isNamed(value: JsonValue, name: string): boolean {
  return isObject(value) && value['name'] === name;
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
  const member = memberOf(name);
  if (member !== undefined) return withMember(data, member, rest, value);
  if (data !== undefined && data !== null && !isObject(data))
    throw new PatchTypeMismatchError(`it has no place for ${name}`);
  const inner = withValueAt(data?.[name], rest, value);
  const { [name]: _, ...others } = data ?? {};
  if (inner === undefined) return data === undefined ? undefined : others;
  // Names keep their places.
  return data !== null && data !== undefined && Object.hasOwn(data, name)
    ? { ...data, [name]: inner }
    : { ...others, [name]: inner };
}

/** One that changes goes to the end, as a new one does. */
function withMember(
  data: JsonValue | undefined,
  name: string,
  rest: readonly string[],
  value: JsonValue | undefined,
): JsonValue {
  const list = data ?? [];
  if (!Array.isArray(list)) throw new PatchTypeMismatchError(`it has no list for a member ${name}`);
  const found = list.find((one) => isNamed(one, name));
  const inner = withValueAt(found, rest, value);
  const others = list.filter((one) => one !== found);
  return inner === undefined ? others : [...others, inner];
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
