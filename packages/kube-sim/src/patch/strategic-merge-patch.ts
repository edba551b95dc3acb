/** Strategic merge patch: a merge patch that takes merge strategies and keys of lists from the schema. */
import { type Json, type JsonObject, type SchemaNode, StatusError } from '../object.ts';
import { copyJson, isObject, setMember } from '../schema/json-values.ts';
import { getMember, members } from './json-members.ts';
import {
  asList,
  DELETE_FROM_LIST,
  DIRECTIVE,
  ELEMENT_ORDER,
  patchSchema,
  RETAIN_KEYS,
  strategicError,
  withoutDirectives,
} from './strategic-directives.ts';
import { deleteFromList, mergeList, orderList } from './strategic-list.ts';

/**
 * A new document with the patch merged in; the given one is unchanged.
 * @param schema the document's schema; lists merge where it has an `x-kubernetes-patch-strategy` of `merge`
 * @throws StatusError 400 for invalid directives, 500 for list items without their merge key
 */
export function applyStrategicMergePatch(document: Json, patch: Json, schema: SchemaNode): JsonObject {
  if (!isObject(patch) || !isObject(document)) {
    throw new StatusError({
      code: 400,
      reason: 'BadRequest',
      message: 'a strategic merge patch must be a JSON object',
    });
  }
  return mergeObject(copyJson(document), copyJson(patch), schema);
}

/** Merges the patch into the object in place, unless a directive replaces or empties it. */
function mergeObject(original: JsonObject, patch: JsonObject, schema: SchemaNode | undefined): JsonObject {
  const directive = getMember(patch, DIRECTIVE);
  const { [DIRECTIVE]: _, ...rest } = patch;
  if (directive === 'replace') return plainObject(rest);
  if (directive === 'delete') return {};
  if (directive !== undefined && directive !== 'merge') {
    throw strategicError(500, `unknown patch type: ${String(directive)} in map: ${JSON.stringify(rest)}`);
  }
  retainKeys(original, rest);
  const before = { ...original };
  for (const [name, value] of members(rest)) {
    if (name.startsWith(DELETE_FROM_LIST)) removeValues(original, name.slice(DELETE_FROM_LIST.length), value);
    else if (!name.startsWith(ELEMENT_ORDER)) mergeMember(original, name, value, patchSchema(schema, name));
  }
  for (const [name, value] of members(rest)) {
    if (name.startsWith(ELEMENT_ORDER))
      orderMember({ original, before, patch: rest, schema }, name.slice(ELEMENT_ORDER.length), value);
  }
  return original;
}

function mergeMember(original: JsonObject, name: string, value: Json, schema: SchemaNode | undefined): void {
  if (value === null) {
    delete original[name];
    return;
  }
  const merged = mergeValue(getMember(original, name), value, schema);
  if (merged === undefined) delete original[name];
  else setMember(original, name, merged);
}

function mergeValue(original: Json | undefined, value: Json, schema: SchemaNode | undefined): Json | undefined {
  const strategies = schema?.['x-kubernetes-patch-strategy']?.split(',') ?? [];
  if (isObject(original) && isObject(value)) {
    return strategies.includes('replace') ? plainObject(value) : mergeObject(original, value, schema);
  }
  if (Array.isArray(original) && Array.isArray(value)) {
    if (strategies.includes('merge')) return mergeList(original, value, schema, mergeObject);
  }
  return withoutDirectives(value);
}

/** `$retainKeys` lists the keys that stay: all others are removed before the merge, as for the members of a union. */
function retainKeys(original: JsonObject, patch: JsonObject): void {
  const listed = getMember(patch, RETAIN_KEYS);
  if (listed === undefined) return;
  delete patch[RETAIN_KEYS];
  const message = 'invalid patch format of retainKeys: it must list every key the patch sets';
  if (!Array.isArray(listed)) throw strategicError(400, message);
  for (const [name, value] of members(patch)) {
    if (value !== null && !name.startsWith('$') && !listed.includes(name)) throw strategicError(400, message);
  }
  for (const [name] of members(original)) if (!listed.includes(name)) delete original[name];
}

function removeValues(original: JsonObject, name: string, value: Json): void {
  const list = getMember(original, name);
  if (list !== undefined) setMember(original, name, deleteFromList(asList(list, name), asList(value, name)));
}

interface Merge {
  readonly original: JsonObject;
  readonly before: JsonObject;
  readonly patch: JsonObject;
  readonly schema: SchemaNode | undefined;
}

/** `$setElementOrder/x` gives the order of the merged list `x`; unlisted items keep their position among the rest. */
function orderMember({ original, before, patch, schema }: Merge, name: string, value: Json): void {
  const list = getMember(original, name);
  if (list === undefined) return;
  const patched = asList(getMember(patch, name) ?? [], name);
  const live = asList(getMember(before, name) ?? [], name);
  const key = patchSchema(schema, name)?.['x-kubernetes-patch-merge-key'];
  setMember(original, name, orderList(asList(list, name), { order: asList(value, name), key, patched, live }));
}

function plainObject(value: JsonObject): JsonObject {
  return withoutDirectives(value) as JsonObject;
}
