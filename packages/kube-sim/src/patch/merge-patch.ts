/** JSON merge patch (RFC 7396): objects merge, null deletes, everything else replaces. */
import type { Json, JsonObject } from '../object.ts';
import { copyJson, isObject, setMember } from '../schema/json-values.ts';
import { getMember, members } from './json-members.ts';

/** A new document with the patch merged in; the given one is unchanged. */
export function applyMergePatch(document: Json | undefined, patch: Json): Json {
  if (!isObject(patch)) return copyJson(patch);
  const merged: JsonObject = isObject(document) ? copyJson(document) : {};
  for (const [name, value] of members(patch)) {
    if (value === null) delete merged[name];
    else setMember(merged, name, applyMergePatch(getMember(merged, name), value));
  }
  return merged;
}
