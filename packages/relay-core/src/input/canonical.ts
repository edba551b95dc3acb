/** Canonical bytes and hashes: equal content has an equal hash, in any order of fields. */

/** Hashes bytes to 128 bits as 32 lower-case hexadecimal digits. Injected, since core imports no platform module. */
export type Hasher = (text: string) => string;

/**
 * JSON with the keys of every object in code-unit order, without undefined members: the same text for the same content.
 * Numbers, strings and escapes are as in JSON.stringify.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sorted(value));
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const source = value as Record<string, unknown>;
  const result: Record<string, unknown> = Object.create(null);
  for (const name of Object.keys(source).sort()) result[name] = sorted(source[name]);
  return result;
}
