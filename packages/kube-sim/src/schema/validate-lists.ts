/** Items of sets and keys of keyed lists must be unique. */

import { duplicate, type FieldError, invalid } from '../errors/field-error.ts';
import type { Json, JsonObject, SchemaNode } from '../object.ts';
import { item, member } from './field-path.ts';
import { isObject } from './json-values.ts';

/** The items of `set` and `map` lists anywhere in the value that repeat an earlier one. */
export function validateLists(value: Json, schema: SchemaNode, path = ''): FieldError[] {
  if (Array.isArray(value)) return listErrors(value, schema, path);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, each]) => {
    const own =
      schema.properties !== undefined && Object.hasOwn(schema.properties, key) ? schema.properties[key] : undefined;
    const below = own ?? (typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined);
    return below === undefined ? [] : validateLists(each, below, member(path, key));
  });
}

function listErrors(value: readonly Json[], schema: SchemaNode, path: string): FieldError[] {
  const kind = schema['x-kubernetes-list-type'];
  const own = kind === 'set' ? setErrors(value, path) : kind === 'map' ? mapErrors(value, schema, path) : [];
  const items = schema.items;
  if (items === undefined) return own;
  return [...own, ...value.flatMap((each, index) => validateLists(each, items, item(path, index)))];
}

function setErrors(value: readonly Json[], path: string): FieldError[] {
  return repeated(
    value.map((each) => [stable(each), each]),
    path,
  );
}

function mapErrors(value: readonly Json[], schema: SchemaNode, path: string): FieldError[] {
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const misfits = value.flatMap((each, index) =>
    isObject(each) ? [] : [invalid(item(path, index), each, 'must be an object for an array of list-type map')],
  );
  if (misfits.length > 0) return misfits;
  const keyed = value.map((each): [string, Json] => {
    const key: JsonObject = {};
    for (const name of keys) if (isObject(each) && each[name] !== undefined) key[name] = each[name];
    return [stable(key), key];
  });
  return repeated(keyed, path);
}

/** Only the second occurrence of a value is reported, as in the real server. */
function repeated(items: readonly (readonly [string, Json])[], path: string): FieldError[] {
  const seen = new Map<string, number>();
  return items.flatMap(([identity, value], index) => {
    const times = (seen.get(identity) ?? 0) + 1;
    seen.set(identity, times);
    return times === 2 ? [duplicate(item(path, index), value)] : [];
  });
}

function stable(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(stable).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${stable(value[key] as Json)}`);
  return `{${members.join(',')}}`;
}
