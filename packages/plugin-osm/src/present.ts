/** Leaving out what is not set. */

/** The object without members that are undefined, empty lists or empty objects: OSM's own defaults stay in force. */
export function present(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isNothing(value)));
}

function isNothing(value: unknown): boolean {
  if (value === undefined) return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** A duration as Go reads it: whole seconds where they are, else milliseconds, of which there is at least one. */
export function duration(milliseconds: number): string {
  return milliseconds % 1000 === 0 ? `${milliseconds / 1000}s` : `${Math.max(1, Math.round(milliseconds))}ms`;
}
