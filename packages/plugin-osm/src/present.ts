/** Omits unset fields. */

/** The object without members that are undefined, empty lists or empty objects, so OSM's defaults apply to them. */
export function present(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isNothing(value)));
}

function isNothing(value: unknown): boolean {
  if (value === undefined) return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** A duration in Go's format: whole seconds if possible, else milliseconds, at least one. */
export function duration(milliseconds: number): string {
  return milliseconds % 1000 === 0 ? `${milliseconds / 1000}s` : `${Math.max(1, Math.round(milliseconds))}ms`;
}
