/** JSON merge patch (RFC 7396): objects merge, null deletes, everything else replaces. */
import type { Json, JsonObject } from '../object.ts';
import { copyJson, getMember, isJsonObject, members, setMember } from './json-value.ts';

/** A new document with the patch merged in; the given one is left as it is. */
export function applyMergePatch(document: Json | undefined, patch: Json): Json {
  if (!isJsonObject(patch)) return copyJson(patch);
  const merged: JsonObject = isJsonObject(document) ? copyJson(document) : {};
  for (const [name, value] of members(patch)) {
    if (value === null) delete merged[name];
    else setMember(merged, name, applyMergePatch(getMember(merged, name), value));
  }
  return merged;
}
