/** Merging an applied value into a live one, field by field as the schema splits them. */
import type { Json, JsonObject, SchemaNode } from '../object.ts';
import { isObject, setMember } from '../schema/json-values.ts';
import { getMember, members } from './json-members.ts';
import type { PathElement } from './path-element.ts';
import { type ListShape, type MapShape, shapeOf } from './value-shape.ts';

/** The live value with the applied one merged in; both are left as they are, and unchanged parts are shared. */
export function mergeFields(schema: SchemaNode | undefined, live: Json | undefined, applied: Json): Json {
  const shape = shapeOf(schema, applied);
  if (shape.kind === 'leaf') return applied;
  if (shape.kind === 'list') return mergeLists(shape, Array.isArray(live) ? live : [], applied) ?? applied;
  return mergeMaps(shape, isObject(live) ? live : {}, applied) ?? applied;
}

function mergeMaps(shape: MapShape, live: JsonObject, applied: Json): JsonObject | undefined {
  const merged: JsonObject = {};
  const wanted = isObject(applied) ? applied : {};
  for (const [name, value] of members(live)) if (getMember(wanted, name) === undefined) setMember(merged, name, value);
  for (const [name, value] of members(wanted)) {
    setMember(merged, name, mergeFields(shape.member(name).schema, getMember(live, name), value));
  }
  return members(merged).length === 0 ? undefined : merged;
}

/**
 * Items only the live list has keep their place; items of both appear in the applied order; new ones go where the
 * applied list has them relative to those.
 */
function mergeLists(shape: ListShape, live: Json[], applied: Json): Json[] | undefined {
  const wanted = Array.isArray(applied) ? applied : [];
  const liveKeys = live.map((item) => shape.element(item));
  const wantedKeys = wanted.map((item) => shape.element(item));
  const liveItems = firstOrNothing(liveKeys, live);
  const isWanted = new Set(wantedKeys);
  const shared = wantedKeys.filter((key) => liveItems.has(key));
  const done = new Set<PathElement>();
  const merged: Json[] = [];
  let [l, w] = [0, 0];

  const take = (key: PathElement): void => {
    merged.push(mergeFields(shape.items, liveItems.get(key), wanted[w] as Json));
    done.add(key);
    if (shared[0] === key) shared.shift();
    w++;
  };

  while (l < live.length || w < wanted.length) {
    const [liveKey, wantedKey] = [liveKeys[l], wantedKeys[w]];
    if (liveKey !== undefined && liveKey === wantedKey) {
      take(liveKey);
      l++;
    } else if (liveKey !== undefined && !isWanted.has(liveKey)) {
      merged.push(live[l] as Json);
      l++;
    } else if (liveKey !== undefined && wantedKey !== undefined && shared[0] !== undefined && liveKey !== shared[0]) {
      l++; // in both, but its turn comes where the applied list has it
    } else {
      if (liveKey !== undefined && done.has(liveKey)) l++;
      if (wantedKey !== undefined) take(wantedKey);
    }
  }
  return merged.length === 0 ? undefined : merged;
}

/** Live items by key; items that share a key are not merged with, since nobody could say with which. */
function firstOrNothing(keys: readonly PathElement[], items: readonly Json[]): Map<PathElement, Json | undefined> {
  const byKey = new Map<PathElement, Json | undefined>();
  for (const [at, key] of keys.entries()) byKey.set(key, byKey.has(key) ? undefined : items[at]);
  return byKey;
}
