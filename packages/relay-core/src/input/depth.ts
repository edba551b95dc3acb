/**
 * The nesting limit of objects: API servers store thousands of levels if a schema allows them, and recursive code would
 * fail on such an object.
 */
import type { KubeObject } from '@meshrelay/api';

/** Levels of lists and objects, including the object itself; the relay has the same limit. */
const MAX_LEVELS = 64;

/** @throws RangeError if the object has more levels than that */
export function refuseTooDeep(object: Pick<KubeObject, 'kind' | 'metadata'>): void {
  if (fits(object, MAX_LEVELS)) return;
  const { kind, metadata } = object as {
    readonly kind: string;
    readonly metadata?: { readonly name?: unknown } | null;
  };
  const name = typeof metadata?.name === 'string' ? metadata.name : 'without a name';
  throw new RangeError(
    `${kind} ${name}: nested more than ${MAX_LEVELS} levels deep, so it is not read; reduce its nesting`,
  );
}

function fits(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (levels === 0) return false;
  if (Array.isArray(value)) {
    for (const item of value) if (!fits(item, levels - 1)) return false;
    return true;
  }
  for (const name in value) if (!fits((value as Readonly<Record<string, unknown>>)[name], levels - 1)) return false;
  return true;
}
