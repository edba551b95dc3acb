/** Leaving out what is not set. */

/** The object without members that are undefined, empty lists or empty objects: Istio's own defaults stay in force. */
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

/** A duration as Istio takes it: whole seconds where they are, else milliseconds, of which there is at least one. */
export function duration(milliseconds: number): string {
  return milliseconds % 1000 === 0 ? `${milliseconds / 1000}s` : `${Math.max(1, Math.round(milliseconds))}ms`;
}

/** A share as Istio takes it, all where it is not given: left out, Istio takes it for 0 of faults and for 100 of mirrors. */
export function percent(value = 100): { readonly value: number } {
  return { value };
}
