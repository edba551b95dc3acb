/** Whether two values are the same JSON, in any order of fields. */

/** An undefined field counts as missing. */
export function equalJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((item, at) => equalJson(item, b[at]));
  if (Array.isArray(b)) return false;
  const [one, other] = [a, b] as [Fields, Fields];
  for (const name in one) if (!equalJson(one[name], other[name])) return false;
  for (const name in other) if (other[name] !== undefined && one[name] === undefined) return false;
  return true;
}

/** Whether two objects are equal except in metadata and status. */
export function equalMeaning(a: object, b: object): boolean {
  return equalJson(meaning(a), meaning(b));
}

type Fields = Record<string, unknown>;

function meaning(object: object): object {
  return { ...object, metadata: undefined, status: undefined };
}
