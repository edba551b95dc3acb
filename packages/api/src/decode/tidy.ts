// Removes null fields that API servers and tools write without a meaning.

/** A JSON object before its kind is known. */
export type JsonFields = Readonly<Record<string, unknown>>;

/**
 * `raw` without null fields of metadata and without a status that is null or empty; the same object if it has neither.
 */
export function tidied(raw: JsonFields): JsonFields {
  const { status, ...rest } = raw;
  const hasStatus = !Object.hasOwn(raw, 'status') || (status !== null && !isEmptyObject(status));
  const metadata = raw['metadata'];
  if (!isObject(metadata) || !Object.values(metadata).includes(null)) return hasStatus ? raw : rest;
  const retained = Object.fromEntries(Object.entries(metadata).filter(([, value]) => value !== null));
  return { ...(hasStatus ? raw : rest), metadata: retained };
}

function isObject(value: unknown): value is JsonFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isEmptyObject(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}
