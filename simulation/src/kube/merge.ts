/** The API server's patches: merge patches, and server-side apply limited to one manager's maps and whole lists. */

type Json = unknown;
type Fields = Record<string, Json>;

function isMap(value: Json): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** RFC 7386. */
export function mergePatch(target: Json, patch: Json): Json {
  if (!isMap(patch)) return patch;
  const result: Fields = isMap(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name];
    else result[name] = mergePatch(result[name], value);
  }
  return result;
}

/**
 * The object after an apply. Removes fields that the manager applied before and omits now, sets the applied ones, and
 * replaces lists.
 */
export function applyOver(live: Json, before: Json, now: Json): Json {
  if (!isMap(now)) return now;
  const result: Fields = isMap(live) ? { ...live } : {};
  const former = isMap(before) ? before : {};
  for (const name of Object.keys(former)) {
    if (Object.hasOwn(now, name)) continue;
    const left = without(result[name], former[name]);
    if (left === undefined) delete result[name];
    else result[name] = left;
  }
  for (const [name, value] of Object.entries(now)) result[name] = applyOver(result[name], former[name], value);
  return result;
}

/** The rest of a value after removing the applied fields; undefined if nothing remains. */
function without(live: Json, applied: Json): Json {
  if (!isMap(live) || !isMap(applied)) return undefined;
  const result: Fields = { ...live };
  for (const [name, value] of Object.entries(applied)) {
    const left = without(result[name], value);
    if (left === undefined) delete result[name];
    else result[name] = left;
  }
  return Object.keys(result).length === 0 ? undefined : result;
}
