/** Merges the lists of a strategic merge patch: by a key for objects, as sets for plain values. */
import type { Json, JsonObject, SchemaNode } from '../object.ts';
import { equalJson, isObject } from '../schema/json-values.ts';
import { getMember } from './json-members.ts';
import { DIRECTIVE, strategicError, withoutDirectives } from './strategic-directives.ts';

/** Merges one object into another in place and returns the result. */
export type MergeObject = (original: JsonObject, patch: JsonObject, schema: SchemaNode | undefined) => JsonObject;

/** The merged list: patch items in the order of the patch, the others at their position relative to them. */
export function mergeList(original: Json[], patch: Json[], schema: SchemaNode | undefined, merge: MergeObject): Json[] {
  const key = schema?.['x-kubernetes-patch-merge-key'];
  if (![...original, ...patch].some(isObject)) {
    return sortLists(distinct([...original, ...patch]), { order: patch, live: original, key: undefined });
  }
  if (key === undefined) throw strategicError(500, 'cannot merge lists without merge key');
  const items = patch.map((item) => asObject(item, key));
  const plain = items.filter((item) => getMember(item, DIRECTIVE) === undefined);
  const directed = items.filter((item) => getMember(item, DIRECTIVE) !== undefined);
  for (const item of plain) keyOf(item, key);
  if (directed.some((item) => item[DIRECTIVE] === 'replace')) return plain;
  const retained = directed.reduce((left, item) => deleteItem(left, item, key), original);
  const merged = plain.reduce((left, item) => mergeItem({ left, item, key }, schema?.items, merge), retained);
  return sortLists(merged, { order: plain, live: retained, key });
}

interface ItemMerge {
  readonly left: Json[];
  readonly item: JsonObject;
  readonly key: string;
}

function mergeItem({ left, item, key }: ItemMerge, schema: SchemaNode | undefined, merge: MergeObject): Json[] {
  const value = keyOf(item, key);
  const at = left.findIndex((other) => equalJson(keyOf(other, key), value));
  if (at < 0) return [...left, withoutDirectives(item) ?? {}];
  return left.with(at, merge(left[at] as JsonObject, item, schema));
}

function deleteItem(left: Json[], item: JsonObject, key: string): Json[] {
  const directive = item[DIRECTIVE];
  if (directive === 'merge') throw strategicError(500, 'merging lists cannot yet be specified in the patch');
  if (directive !== 'delete') {
    throw strategicError(500, `unknown patch type: ${String(directive)} in map: ${JSON.stringify(item)}`);
  }
  const value = keyOf(item, key);
  return left.filter((other) => !equalJson(keyOf(other, key), value));
}

/** Ordering of a merged list by `$setElementOrder`. */
export interface ElementOrder {
  readonly order: Json[];
  /** The merge key; undefined for lists of plain values. */
  readonly key: string | undefined;
  /** The patch's items of this list. */
  readonly patched: Json[];
  /** The list before it was merged. */
  readonly live: Json[];
}

/**
 * The merged list in the requested order; unlisted items keep their position.
 * @throws StatusError 500 when the patch has items missing in the order, or in another order
 */
export function orderList(merged: Json[], { order, key, patched, live }: ElementOrder): Json[] {
  const requested = patched.filter((item) => !(isObject(item) && getMember(item, DIRECTIVE) !== undefined));
  const places = requested.map((item) => indexIn(order, item, key));
  if (order.length > 0 && places.some((place, at) => place < 0 || place < (places[at - 1] ?? 0))) {
    throw strategicError(
      500,
      `The order in patch list:\n${JSON.stringify(patched)}\n doesn't match $setElementOrder list:\n${JSON.stringify(order)}\n`,
    );
  }
  return sortLists(merged, { order, live, key });
}

/** The list without these values. */
export function deleteFromList(list: Json[], values: Json[]): Json[] {
  return list.filter((item) => !values.some((value) => equalJson(value, item)));
}

interface Sorting {
  readonly order: Json[];
  readonly live: Json[];
  readonly key: string | undefined;
}

/**
 * Listed items in the given order, the rest in the live order, both merged so that the live order is kept where
 * possible.
 */
function sortLists(merged: Json[], { order, live, key }: Sorting): Json[] {
  const named = merged.filter((item) => indexIn(order, item, key) >= 0);
  const rest = merged.filter((item) => indexIn(order, item, key) < 0);
  named.sort((a, b) => indexIn(order, a, key) - indexIn(order, b, key));
  const sorted: Json[] = [];
  for (const item of named) {
    const place = indexIn(live, item, key);
    while (rest.length > 0 && comesBefore(indexIn(live, rest[0] as Json, key), place))
      sorted.push(rest.shift() as Json);
    sorted.push(item);
  }
  return [...sorted, ...rest];
}

function comesBefore(place: number, other: number): boolean {
  return place >= 0 && other >= 0 && place < other;
}

function indexIn(list: Json[], item: Json, key: string | undefined): number {
  if (key === undefined) return list.findIndex((other) => equalJson(other, item));
  return list.findIndex((other) => equalJson(keyOf(other, key), keyOf(item, key)));
}

function asObject(item: Json, key: string): JsonObject {
  if (isObject(item)) return item;
  throw strategicError(500, `${JSON.stringify(item)} does not contain declared merge key: ${key}`);
}

function keyOf(item: Json, key: string): Json {
  const value = isObject(item) ? getMember(item, key) : undefined;
  if (value !== undefined) return value;
  throw strategicError(500, `map: ${JSON.stringify(item)} does not contain declared merge key: ${key}`);
}

function distinct(values: Json[]): Json[] {
  return values.filter((value, at) => values.findIndex((other) => equalJson(other, value)) === at);
}
