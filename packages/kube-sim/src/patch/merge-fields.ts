/** Merges an applied value into a live one, field by field according to the schema. */
import type { Json, JsonObject, SchemaNode } from '../object.ts';
import { isObject, setMember } from '../schema/json-values.ts';
import { getMember, members } from './json-members.ts';
import type { PathElement } from './path-element.ts';
import { type ListShape, type MapShape, shapeOf } from './value-shape.ts';

/** The live value with the applied one merged in; both are unchanged, and unchanged parts are shared. */
export function mergeFields(schema: SchemaNode | undefined, live: Json | undefined, applied: Json): Json {
  const shape = shapeOf(schema, applied);
  if (shape.kind === 'leaf') return applied;
  if (shape.kind === 'list') return mergeLists(shape, Array.isArray(live) ? live : [], applied) ?? applied;
  return mergeMaps(shape, isObject(live) ? live : {}, applied) ?? applied;
}

function mergeMaps(shape: MapShape, live: JsonObject, applied: Json): JsonObject | undefined {
  const merged: JsonObject = {};
  const requested = isObject(applied) ? applied : {};
  for (const [name, value] of members(live))
    if (getMember(requested, name) === undefined) setMember(merged, name, value);
  for (const [name, value] of members(requested)) {
    setMember(merged, name, mergeFields(shape.member(name).schema, getMember(live, name), value));
  }
  return members(merged).length === 0 ? undefined : merged;
}

/**
 * Items of the live list only keep their position; items of both appear in the applied order; new ones are placed
 * relative to those.
 */
function mergeLists(shape: ListShape, live: Json[], applied: Json): Json[] | undefined {
  const requested = Array.isArray(applied) ? applied : [];
  const liveKeys = live.map((item) => shape.element(item));
  const requestedKeys = requested.map((item) => shape.element(item));
  const liveItems = firstOrNothing(liveKeys, live);
  const isDesired = new Set(requestedKeys);
  const shared = requestedKeys.filter((key) => liveItems.has(key));
  const done = new Set<PathElement>();
  const merged: Json[] = [];
  let [l, w] = [0, 0];

  const take = (key: PathElement): void => {
    merged.push(mergeFields(shape.items, liveItems.get(key), requested[w] as Json));
    done.add(key);
    if (shared[0] === key) shared.shift();
    w++;
  };

  while (l < live.length || w < requested.length) {
    const [liveKey, requestedKey] = [liveKeys[l], requestedKeys[w]];
    if (liveKey !== undefined && liveKey === requestedKey) {
      take(liveKey);
      l++;
    } else if (liveKey !== undefined && !isDesired.has(liveKey)) {
      merged.push(live[l] as Json);
      l++;
    } else if (
      liveKey !== undefined &&
      requestedKey !== undefined &&
      shared[0] !== undefined &&
      liveKey !== shared[0]
    ) {
      l++; // in both, but placed where the applied list has it
    } else {
      if (liveKey !== undefined && done.has(liveKey)) l++;
      if (requestedKey !== undefined) take(requestedKey);
    }
  }
  return merged.length === 0 ? undefined : merged;
}

/** Live items by key; items with a duplicate key are not merged, since the target would be ambiguous. */
function firstOrNothing(keys: readonly PathElement[], items: readonly Json[]): Map<PathElement, Json | undefined> {
  const byKey = new Map<PathElement, Json | undefined>();
  for (const [at, key] of keys.entries()) byKey.set(key, byKey.has(key) ? undefined : items[at]);
  return byKey;
}
