/** Canonical bytes and hashes: equal content, equal hash, whatever order its fields came in. */

/** Hashes bytes to 128 bits as 32 lower-case hexadecimal digits. Injected, since core imports no platform module. */
export type Hasher = (text: string) => string;

/**
 * JSON with the keys of every object in code-unit order and undefined members left out: the same text for the same content.
 * Numbers, strings and escapes are as JSON.stringify writes them.
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
