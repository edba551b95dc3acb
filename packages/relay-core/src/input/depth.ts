/** How deep objects may be nested: API servers keep thousands of levels where a schema lets them, and no walk over such an object would end well. */
import type { KubeObject } from '@meshrelay/api';

/** Levels of lists and objects, the object itself included; what the relay carries, too. */
export const MAX_LEVELS = 64;

/** @throws RangeError where the object has more levels than that */
export function refuseTooDeep(object: Pick<KubeObject, 'kind' | 'metadata'>): void {
  if (fits(object, MAX_LEVELS)) return;
  const { kind, metadata } = object as {
    readonly kind: string;
    readonly metadata?: { readonly name?: unknown } | null;
  };
  const name = typeof metadata?.name === 'string' ? metadata.name : 'without a name';
  throw new RangeError(
    `${kind} ${name}: nested more than ${MAX_LEVELS} levels deep, so it is not read; make it flatter`,
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
