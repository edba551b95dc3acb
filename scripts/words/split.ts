/** Identifiers and file names as words. */

/**
 * `cachedUntilIdle` -> `cached until idle`, `MAX_BYTES` -> `max bytes`, `observed-policies` -> `observed policies`.
 */
export function splitWords(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .replace(/[^A-Za-z0-9]+/g, ' ')
    .trim()
    .toLowerCase();
}
