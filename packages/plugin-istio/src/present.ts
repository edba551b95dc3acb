/** Omits unset fields. */

/** The object without members that are undefined, empty lists or empty objects, so Istio's defaults apply to them. */
export function present(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const retained: Record<string, unknown> = {};
  for (const name of Object.keys(fields)) if (!isNothing(fields[name])) retained[name] = fields[name];
  return retained;
}

function isNothing(value: unknown): boolean {
  if (value === undefined) return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'object' && value !== null && isEmpty(value);
}

function isEmpty(value: object): boolean {
  for (const _ in value) return false;
  return true;
}

/** A duration in Istio's format: whole seconds if possible, else milliseconds, at least one. */
export function duration(milliseconds: number): string {
  return milliseconds % 1000 === 0 ? `${milliseconds / 1000}s` : `${Math.max(1, Math.round(milliseconds))}ms`;
}

/** A percentage in Istio's format, 100 by default: Istio's own default is 0 for faults and 100 for mirrors. */
export function percent(value = 100): { readonly value: number } {
  return { value };
}
