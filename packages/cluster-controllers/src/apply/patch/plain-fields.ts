/**
 * Fields of plain data by path. The step `[NAME]` selects the list member with this `name`. Functions never modify data
 * in place.
 */
import type { JsonObject, JsonValue } from '@meshrelay/api';
import { PatchTypeMismatchError } from './patch-type-mismatch-error.ts';

/** Value at the path, or undefined. */
export function valueAt(data: JsonValue | undefined, names: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = data;
  for (const name of names) {
    value = stepInto(value, name);
    if (value === undefined) return undefined;
  }
  return value;
}

/** Name of the list member that a step selects; undefined if the step selects a field. */
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

/** Number of leading path steps that exist. */
export function depthOf(data: JsonValue | undefined, names: readonly string[]): number {
  let depth = 0;
  while (depth < names.length && valueAt(data, names.slice(0, depth + 1)) !== undefined) depth++;
  return depth;
}

/**
 * Returns the data with that value; undefined removes the field. Creates missing parents. @throws
 * PatchTypeMismatchError if a step of the path has another type
 */
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
    throw new PatchTypeMismatchError(`it cannot have a field ${name}`);
  const inner = withValueAt(data?.[name], rest, value);
  const { [name]: _, ...others } = data ?? {};
  if (inner === undefined) return data === undefined ? undefined : others;
  // Existing names keep their positions.
  return data !== null && data !== undefined && Object.hasOwn(data, name)
    ? { ...data, [name]: inner }
    : { ...others, [name]: inner };
}

/** A changed member moves to the end, like a new one. */
function withMember(
  data: JsonValue | undefined,
  name: string,
  rest: readonly string[],
  value: JsonValue | undefined,
): JsonValue {
  const list = data ?? [];
  if (!Array.isArray(list)) throw new PatchTypeMismatchError(`it has no list for the member ${name}`);
  const found = list.find((one) => isNamed(one, name));
  const inner = withValueAt(found, rest, value);
  const others = list.filter((one) => one !== found);
  return inner === undefined ? others : [...others, inner];
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
